package dev.upcall.journal.producer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileContent;
import dev.upcall.journal.entry.Decoded;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.Origin;
import dev.upcall.journal.entry.Reply;
import dev.upcall.journal.entry.ReplyCodec;
import dev.upcall.journal.entry.Samples;
import dev.upcall.journal.entry.SubmissionCodec;
import dev.upcall.journal.queue.ChildJvm;
import dev.upcall.journal.queue.ChronicleEntries;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.QueueDirectory;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.journal.queue.QueueException.Reason;
import dev.upcall.request.FileRequest;
import dev.upcall.request.codec.RequestDecoder;
import dev.upcall.request.codec.Submission;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What producers put into a queue, and who they are. */
class ProducerTest {
  private static final long MAX_BYTES = 1L << 40;
  private static final Submission DELETE = Samples.delete("/a");

  @TempDir Path temporary;

  @Test
  void requestsComeInOrderWithTheirContents() throws IOException {
    Submission append = Samples.append("/log", "abc");
    List<Receipt> receipts = new ArrayList<>();
    try (Producer producer = open("one")) {
      receipts.add(producer.submit(append));
      receipts.add(producer.submit(DELETE));
      producer.sync();
      List<Entry> entries = entries();
      assertEquals(2, entries.size());
      assertArrayEquals(SubmissionCodec.encode(append), entries.get(0).body());
      assertEquals(new Decoded.Value<>(DELETE), SubmissionCodec.decode(entries.get(1)));
      for (int i = 0; i < 2; i++) {
        assertEquals(producer.id(), entries.get(i).origin().producer());
        assertEquals(receipts.get(i).sequence(), entries.get(i).origin().sequence());
        assertEquals(directory().id(), entries.get(i).origin().queue());
      }
    }
    assertTrue(receipts.get(0).sequence() < receipts.get(1).sequence());
    assertTrue(receipts.get(0).index() < receipts.get(1).index());
  }

  @Test
  void aLargeContentComesInParts() throws IOException {
    byte[] content = new byte[3 * Entry.MAX_BODY_BYTES];
    new Random(4).nextBytes(content);
    try (Producer producer = open("one")) {
      producer.submit(Samples.put("/f", content));
    }
    List<Entry> entries = entries();
    assertEquals(4, entries.size());
    for (int part = 0; part < 4; part++) {
      assertEquals(part, entries.get(part).part());
      assertEquals(4, entries.get(part).parts());
      assertEquals(entries.get(0).origin(), entries.get(part).origin());
    }
    assertArrayEquals(content, content(entries));
  }

  @Test
  void aContentThatEndsTooEarlyLeavesNoWholeRequest() throws IOException {
    int bytes = 2 * Entry.MAX_BODY_BYTES;
    try (Producer producer = open("one")) {
      Submission put = Samples.putOf("/f", bytes);
      InputStream cut = new ByteArrayInputStream(new byte[bytes - 1]);
      assertThrows(EOFException.class, () -> producer.submit(put, cut));
      List<Entry> entries = entries();
      assertTrue(entries.size() < entries.getFirst().parts());
      long sequence = entries.getFirst().origin().sequence();
      producer.submitAgain(sequence, put, new ByteArrayInputStream(new byte[bytes]));
      List<Entry> again = entries().subList(entries.size(), entries().size());
      assertEquals(again.getFirst().parts(), again.size());
      assertEquals(entries.getFirst().origin(), again.getFirst().origin());
    }
  }

  @Test
  void aContentThatPausesTooLongIsRefusedAndMayComeAgain() throws IOException {
    AtomicLong now = new AtomicLong();
    byte[] content = new byte[3 * Entry.MAX_BODY_BYTES];
    new Random(5).nextBytes(content);
    Submission put = Samples.putOf("/f", content.length);
    try (Producer producer =
        Producer.open(temporary.resolve("queue"), "slow", MAX_BYTES, now::get)) {
      long pauseNanos = Producer.MAX_PAUSE.toNanos();
      producer.submit(put, pausing(content, now, pauseNanos));
      int whole = entries().size();

      QueueException refused =
          assertThrows(
              QueueException.class,
              () -> producer.submit(put, pausing(content, now, pauseNanos + 1)));

      assertEquals(Reason.TOO_SLOW, refused.reason());
      List<Entry> left = entries().subList(whole, entries().size());
      assertEquals(2, left.size(), "only the parts before the pause");
      long sequence = left.getFirst().origin().sequence();
      Receipt again = producer.submitAgain(sequence, put, new ByteArrayInputStream(content));
      assertEquals(sequence, again.sequence());
      List<Entry> all = entries();
      assertArrayEquals(content, content(all.subList(all.size() - whole, all.size())));
    }
  }

  /** Pauses once, in the middle. */
  private static InputStream pausing(byte[] content, AtomicLong now, long nanos) {
    return new ByteArrayInputStream(content) {
      private boolean paused;

      @Override
      public synchronized int read(byte[] to, int from, int length) {
        if (pos > content.length / 2 && !paused) {
          paused = true;
          now.addAndGet(nanos);
        }
        return super.read(to, from, length);
      }
    };
  }

  @Test
  void whoIsRetiredGoesOnAsAnotherOneWithNewNumbers() throws IOException {
    Receipt old;
    UUID oldId;
    try (Producer before = open("one")) {
      oldId = before.id();
      old = before.submit(DELETE);
      // Not while it is open.
      assertFalse(Producer.retire(directory(), oldId, () -> true));
    }
    assertFalse(Producer.retire(directory(), new UUID(1, 1), () -> true));
    assertFalse(Producer.retire(directory(), oldId, () -> false));
    try (Producer same = open("one")) {
      assertEquals(oldId, same.id());
    }
    assertTrue(Producer.retire(directory(), oldId, () -> true));
    assertTrue(Producer.retire(directory(), oldId, () -> false));
    UUID newId;
    try (Producer after = open("one")) {
      newId = after.id();
      assertNotEquals(oldId, newId);
      assertThrows(
          IllegalArgumentException.class,
          () -> after.submitAgain(old.sequence(), DELETE, InputStream.nullInputStream()));
      Receipt first = after.submit(DELETE);
      assertTrue(first.sequence() > old.sequence());
      after.submitAgain(first.sequence(), DELETE, InputStream.nullInputStream());
    }
    try (Producer again = open("one")) {
      assertEquals(newId, again.id());
    }
    directory().forgetProducer(oldId);
    assertEquals(Map.of(newId, "one"), directory().producerNames());
  }

  @Test
  void aProducerGoesOnWhereItEnded() throws IOException {
    Receipt first;
    Producer before = open("one");
    try (before) {
      first = before.submit(DELETE);
      assertEquals(first.sequence() + 1, before.submit(DELETE).sequence());
      assertThrows(
          IllegalArgumentException.class,
          () -> before.submitAgain(first.sequence() + 2, DELETE, InputStream.nullInputStream()));
    }
    try (Producer after = open("one");
        Producer other = open("two")) {
      assertEquals(before.id(), after.id());
      assertEquals(
          List.of("one", "two"), directory().producerNames().values().stream().sorted().toList());
      assertNotEquals(before.id(), other.id());
      after.submitAgain(first.sequence(), DELETE, InputStream.nullInputStream());
      assertTrue(after.submit(DELETE).sequence() > first.sequence() + 1);
    }
    List<Entry> entries = entries();
    assertEquals(entries.get(0).origin().sequence(), entries.get(2).origin().sequence());
    assertNotEquals(entries.get(0).origin().incarnation(), entries.get(2).origin().incarnation());
  }

  @Test
  void aProgramWithoutAStoreIsAProducer() throws Exception {
    assertFalse(ChildJvm.classPath().contains("netty"));
    assertEquals(
        "put in as 0\n",
        ChildJvm.run(ChildJvm.OPENS, ProducerChild.class, temporary.resolve("queue")));
    assertEquals(1, entries().size());
    reply(entries().getFirst().origin());
    assertEquals(
        "put in as 65536\nDone[file=Optional.empty]\n",
        ChildJvm.run(ChildJvm.OPENS, ProducerChild.class, temporary.resolve("queue")));
  }

  @Test
  void allThreadsOfAProducerMaySync() throws Exception {
    try (Producer producer = open("one")) {
      IntStream.range(0, 8)
          .parallel()
          .forEach(
              _ -> {
                try {
                  producer.submit(DELETE);
                  producer.sync();
                } catch (IOException broken) {
                  throw new UncheckedIOException(broken);
                }
              });
    }
    assertEquals(8, entries().size());
  }

  @Test
  void aNameHasOneHolderOfAllProcesses() throws Exception {
    try (Producer producer = open("child")) {
      assertEquals(Reason.IN_USE, assertThrows(QueueException.class, () -> open("child")).reason());
      // The attempt above must not have cost the lock.
      String said = ChildJvm.run(ChildJvm.OPENS, ProducerChild.class, temporary.resolve("queue"));
      assertTrue(said.contains("another process is the producer child"), said);
      producer.submit(DELETE);
    }
    assertEquals(1, entries().size());
  }

  @Test
  void aNameIsOpenedOnceAndIsAName() throws IOException {
    try (Producer producer = open("one")) {
      assertEquals(Reason.IN_USE, assertThrows(QueueException.class, () -> open("one")).reason());
      producer.submit(DELETE);
    }
    for (String name : List.of("", ".hidden", "a/b", "..", "x".repeat(101))) {
      assertThrows(IllegalArgumentException.class, () -> open(name), name);
    }
  }

  @Test
  void numbersNeverComeAgainWhateverIsTornOff() throws IOException {
    long last;
    try (Producer producer = open("one")) {
      last = producer.submit(DELETE).sequence();
    }
    Path file = temporary.resolve("queue/producers/one");
    byte[] good = Files.readAllBytes(file);
    for (int torn : new int[] {0, 4096}) {
      byte[] bytes = good.clone();
      bytes[torn + 20] ^= 1;
      Files.write(file, bytes);
      try (Producer producer = open("one")) {
        long next = producer.submit(DELETE).sequence();
        assertTrue(next > last, torn + ": " + next + " after " + last);
      }
    }
    byte[] bytes = good.clone();
    bytes[20] ^= 1;
    bytes[4096 + 20] ^= 1;
    Files.write(file, bytes);
    assertEquals(Reason.FILES, assertThrows(QueueException.class, () -> open("one")).reason());
  }

  @Test
  void aBoundRefuses() throws IOException {
    try (Producer producer = Producer.open(temporary.resolve("queue"), "one", 1)) {
      producer.submit(DELETE);
      byte[] large = new byte[100_000];
      Submission put = Samples.put("/f", large);
      assertEquals(
          Reason.BACKLOG_FULL,
          assertThrows(QueueException.class, () -> producer.submit(put)).reason());
    }
  }

  private void reply(Origin origin) throws QueueException {
    try (EntryQueue queue =
        ChronicleEntries.open(directory().replies(), MAX_BYTES, System::currentTimeMillis)) {
      queue.append(
          EntryCodec.encode(
              ReplyCodec.encode(
                  new Reply(
                      origin.queue(),
                      origin.producer(),
                      origin.sequence(),
                      new Reply.Done(Optional.empty())))));
    }
  }

  private Producer open(String name) throws IOException {
    return Producer.open(temporary.resolve("queue"), name, MAX_BYTES);
  }

  private QueueDirectory directory() throws QueueException {
    return QueueDirectory.open(temporary.resolve("queue"));
  }

  private List<Entry> entries() throws QueueException {
    List<Entry> entries = new ArrayList<>();
    try (EntryQueue queue =
        ChronicleEntries.open(directory().requests(), MAX_BYTES, System::currentTimeMillis)) {
      EntryQueue.Indexed found = queue.next(EntryQueue.NONE);
      while (found != null) {
        Decoded<Entry> entry = EntryCodec.decode(found.bytes());
        entries.add(((Decoded.Value<Entry>) entry).value());
        found = queue.next(found.index());
      }
      assertNull(found);
    }
    return entries;
  }

  private static byte[] content(List<Entry> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(part -> all.writeBytes(part.body()));
    Submission whole = RequestDecoder.decode(ByteBuffer.wrap(all.toByteArray()));
    Submission.Changes put = assertInstanceOf(Submission.Changes.class, whole);
    return put.requests().getFirst() instanceof FileRequest.Put(_, FileContent.Bytes bytes, _)
        ? bytes.bytes()
        : new byte[0];
  }
}
