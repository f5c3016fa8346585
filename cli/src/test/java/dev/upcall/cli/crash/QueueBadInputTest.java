package dev.upcall.cli.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.cli.Main;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.EntryKind;
import dev.upcall.journal.entry.Origin;
import dev.upcall.journal.entry.SubmissionCodec;
import dev.upcall.journal.producer.Producer;
import dev.upcall.journal.producer.Replies;
import dev.upcall.journal.queue.QueueDirectory;
import dev.upcall.journal.queue.RawQueue;
import dev.upcall.request.FileRequest;
import dev.upcall.request.codec.Submission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What others may put into a queue's files: each is named in the log, and the next one is done. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class QueueBadInputTest {
  private static final UUID TWINS = new UUID(7, 7);

  @TempDir Path folder;
  private final Map<Long, String> bad = new LinkedHashMap<>();
  private int good;

  @Test
  void eachIsNamedAndTheNextOneIsDone() throws Exception {
    Upcall.openOrCreate(volume(), CrashWorker.CONFIG).close();
    try (Producer producer = Producer.open(queue(), "good", 1L << 30);
        Replies replies = producer.replies()) {
      damageFile();
      Process server = serve(volume(), queue(), "server.log");
      try {
        putBad(producer, replies);
        ends("is who does the requests", volume().resolveSibling("other.upcall"), queue());
        Path none = Files.createDirectories(folder.resolve("none"));
        Files.writeString(none.resolve("letter"), "dear");
        ends("is no queue", volume().resolveSibling("other.upcall"), none);
        oneMore(producer, replies);
      } finally {
        server.destroyForcibly().waitFor();
      }
    }
    String log = Files.readString(folder.resolve("server.log"));
    bad.forEach(
        (index, why) ->
            assertEquals(
                1,
                log.lines()
                    .filter(
                        line -> line.contains("entry %x is passed over: %s".formatted(index, why)))
                    .count(),
                () -> why + " in " + log));
    assertEquals(bad.size(), log.lines().filter(line -> line.contains("passed over")).count(), log);
    try (Upcall store = Upcall.open(volume(), CrashWorker.CONFIG)) {
      assertTrue(store.exists("/twin-1") && store.exists("/twin-2"));
      assertFalse(store.exists("/twin-3"));
      assertTrue(store.exists("/behind"));
      assertFalse(store.exists("/lost"));
    }
  }

  /** The header of an entry leads beyond the file; the next one is whole. */
  private void damageFile() throws IOException {
    UUID id = QueueDirectory.open(queue()).id();
    byte[] lost = entry(new Origin(id, 0, new UUID(2, 2), 1, 0), "/lost");
    long index = RawQueue.append(requests(), lost);
    RawQueue.append(requests(), entry(new Origin(id, 0, new UUID(2, 2), 1, 1), "/behind"));
    RawQueue.damage(requests(), index, new byte[] {-1, -1, -1, 0x3f, 'x'});
    bad.put(index, "DAMAGED");
  }

  private void putBad(Producer producer, Replies replies) throws Exception {
    UUID id = QueueDirectory.open(queue()).id();
    byte[] entry = entry(new Origin(id, 0, new UUID(1, 1), 1, 0), "/bad");
    bad(producer, replies, "NO_ENTRY", new byte[] {1, 2, 3});
    bad(producer, replies, "VERSION", with(entry, 4));
    bad(producer, replies, "CHECKSUM", with(entry, EntryCodec.HEAD_BYTES + 5));
    bad(producer, replies, "TOO_LARGE", Arrays.copyOf(entry, EntryCodec.MAX_ENTRY_BYTES + 1));
    byte[] body = SubmissionCodec.encode(directory("/bad"));
    body[body.length - 3] = 0;
    Origin stranger = new Origin(id, 0, new UUID(1, 1), 1, 1);
    bad(producer, replies, "REQUEST", encode(stranger, body));
    bad(
        producer,
        replies,
        "of another queue",
        entry(new Origin(new UUID(9, 9), 0, new UUID(1, 1), 1, 2), "/bad"));
    // Two have the same producer: the first is told by what the second has put in meanwhile.
    RawQueue.append(requests(), entry(new Origin(id, 0, TWINS, 1, 0), "/twin-1"));
    RawQueue.append(requests(), entry(new Origin(id, 0, TWINS, 2, 100), "/twin-2"));
    bad(
        producer,
        replies,
        "of a producer whose id",
        entry(new Origin(id, 0, TWINS, 1, 101), "/twin-3"));
  }

  private void bad(Producer producer, Replies replies, String why, byte[] bytes) throws Exception {
    bad.put(RawQueue.append(requests(), bytes), why);
    oneMore(producer, replies);
  }

  private void oneMore(Producer producer, Replies replies) throws Exception {
    Submission next = directory("/good-" + good++);
    long sequence = producer.submit(next).sequence();
    assertTrue(replies.await(sequence, Duration.ofSeconds(60)).isPresent(), next::toString);
  }

  /** A server that cannot be: it ends and says why, and the other one goes on. */
  private void ends(String why, Path volume, Path queue) throws Exception {
    Upcall.openOrCreate(volume, CrashWorker.CONFIG).close();
    Process second = serve(volume, queue, "second.log");
    assertEquals(1, second.waitFor());
    String log = Files.readString(folder.resolve("second.log"));
    assertTrue(log.contains(why), log);
  }

  private Process serve(Path volume, Path queue, String log) throws IOException {
    return Victim.start(
        folder.resolve(log),
        Main.class.getName(),
        "serve",
        "--store=" + volume,
        "--queue=" + queue,
        "--memory=32m",
        "--port=0");
  }

  private static byte[] entry(Origin origin, String path) {
    return encode(origin, SubmissionCodec.encode(directory(path)));
  }

  private static Submission directory(String path) {
    return Submission.of(new FileRequest.CreateDirectory(path));
  }

  private static byte[] encode(Origin origin, byte[] body) {
    return EntryCodec.encode(new Entry(origin, EntryKind.REQUEST, 0, 1, body));
  }

  private static byte[] with(byte[] entry, int at) {
    byte[] changed = entry.clone();
    changed[at] ^= 3;
    return changed;
  }

  private Path requests() throws IOException {
    return QueueDirectory.open(queue()).requests();
  }

  private Path volume() {
    return folder.resolve("s.upcall");
  }

  private Path queue() {
    return folder.resolve("queue");
  }
}
