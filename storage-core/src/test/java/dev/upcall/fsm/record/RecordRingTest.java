package dev.upcall.fsm.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ring by itself: what is kept and copied, and copying while the writer writes on. */
@Tag("races")
class RecordRingTest {
  private static final int KEPT = 8;

  /** What the ring keeps that is written while it is read. */
  private static final int BESIDE = 1024;

  private final RecordRing ring = new RecordRing(KEPT);
  private final ByteBuffer copy = ByteBuffer.allocate(KEPT * RecordRing.RECORD_BYTES);

  /** A record whose words all follow from its sequence. */
  private static void write(RecordRing ring) {
    long sequence = ring.written();
    ring.write(sequence, ~sequence, sequence * 3, sequence ^ 5, -sequence, sequence + 7);
  }

  private static boolean isWhole(ByteBuffer copy, int at, long sequence) {
    return copy.getLong(at) == sequence
        && copy.getLong(at + 8) == ~sequence
        && copy.getLong(at + 16) == sequence * 3
        && copy.getLong(at + 24) == (sequence ^ 5)
        && copy.getLong(at + 32) == -sequence
        && copy.getLong(at + 40) == sequence + 7;
  }

  private void write(int count) {
    for (int i = 0; i < count; i++) {
      write(ring);
    }
    ring.publish();
  }

  private List<Long> copied() {
    List<Long> sequences = new ArrayList<>();
    for (int at = 0; at < copy.position(); at += RecordRing.RECORD_BYTES) {
      sequences.add(copy.getLong(at));
      assertTrue(isWhole(copy, at, copy.getLong(at)));
    }
    return sequences;
  }

  @Test
  void whatIsPublishedIsCopied() {
    assertEquals(0, ring.copySince(0, copy));
    write(3);
    assertEquals(3, ring.published());
    assertEquals(3, ring.copySince(0, copy));
    assertEquals(List.of(0L, 1L, 2L), copied());
    copy.clear();
    write(2);
    assertEquals(5, ring.copySince(3, copy));
    assertEquals(List.of(3L, 4L), copied());
  }

  @Test
  void whatIsNotPublishedIsNotCopied() {
    write(ring);
    assertEquals(0, ring.copySince(0, copy));
    assertEquals(List.of(), copied());
  }

  @Test
  void whatWasOverwrittenIsAGap() {
    write(20);
    assertEquals(20, ring.copySince(1, copy));
    assertEquals(List.of(12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L), copied());
  }

  @Test
  void aSmallBufferTakesWhatFitsOldestFirst() {
    write(6);
    copy.position(RecordRing.RECORD_BYTES * (KEPT - 2));
    assertEquals(2, ring.copySince(0, copy));
    assertEquals(copy.capacity(), copy.position());
  }

  @Test
  void whatIsOverwrittenWhileItIsCopiedIsLeftOut() {
    write(8);
    ring.copy(0, 8, copy);
    assertEquals(0, ring.oldestWhole());
    write(ring);
    write(ring);
    assertEquals(2, ring.oldestWhole());
  }

  @Test
  void aTurnLongerThanTheRingLeavesOnlyAGap() {
    write(4);
    for (int i = 0; i < 3 * KEPT; i++) {
      write(ring);
    }
    assertEquals(4, ring.copySince(1, copy));
    assertEquals(List.of(), copied());
  }

  @Test
  void aRingOfNoneTakesNone() {
    RecordRing none = new RecordRing(0);
    write(none);
    none.publish();
    assertEquals(0, none.published());
    assertEquals(0, none.copySince(0, copy));
  }

  @Test
  void sizesThatAreNoPowerOfTwoAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new RecordRing(3));
    assertThrows(IllegalArgumentException.class, () -> new RecordRing(-1));
  }

  /** What a reader beside the writer sees until it has looked at so many copies. */
  private static final class Reader {
    private final RecordRing ring;
    private final ByteBuffer copy = ByteBuffer.allocate(BESIDE * RecordRing.RECORD_BYTES);
    private long copies;
    private long gaps;
    private long spoilt;

    Reader(RecordRing ring) {
      this.ring = ring;
    }

    /** Copies as everybody does, and checks all of it. */
    long read(long sequence) {
      long next = ring.copySince(sequence, copy.clear());
      long first = next - copy.position() / RecordRing.RECORD_BYTES;
      assertTrue(first >= sequence, () -> first + " before " + sequence);
      gaps += first > sequence ? 1 : 0;
      count(first);
      return next;
    }

    /** Copies without the look at what is overwritten meanwhile. */
    long readUnchecked() {
      long end = ring.published();
      long first = Math.max(0, end - BESIDE);
      ring.copy(first, end, copy.clear());
      count(first);
      return end;
    }

    private void count(long first) {
      for (int at = 0; at < copy.position(); at += RecordRing.RECORD_BYTES) {
        copies++;
        spoilt += isWhole(copy, at, first + at / RecordRing.RECORD_BYTES) ? 0 : 1;
      }
    }
  }

  private interface Look {
    boolean goesOn(Reader reader);
  }

  /** A writer on a thread of its own, in turns of changing size, beside a reader. */
  private static Reader beside(Look look) throws InterruptedException {
    RecordRing ring = new RecordRing(BESIDE);
    AtomicBoolean over = new AtomicBoolean();
    AtomicReference<Throwable> failed = new AtomicReference<>();
    Thread writer =
        Thread.ofPlatform()
            .uncaughtExceptionHandler((_, error) -> failed.set(error))
            .start(
                () -> {
                  for (long turn = 0; !over.get(); turn++) {
                    for (int i = 0; i <= turn % 7; i++) {
                      write(ring);
                    }
                    ring.publish();
                    pause();
                  }
                });
    Reader reader = new Reader(ring);
    try {
      while (look.goesOn(reader)) {
        Thread.onSpinWait();
      }
    } finally {
      over.set(true);
      writer.join();
    }
    assertEquals(null, failed.get());
    return reader;
  }

  /** Lets the reader come by without a lap each time. */
  private static void pause() {
    for (int i = 0; i < 20; i++) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aReaderBesideTheWriterSeesOnlyWholeRecordsInTheirOrder() throws InterruptedException {
    long[] next = {0};
    Reader reader =
        beside(
            r -> {
              next[0] = r.read(next[0]);
              return r.copies < 100_000 || r.gaps == 0;
            });
    assertEquals(0, reader.spoilt);
  }

  @Test
  void canaryACopyThatIsNotCheckedIsFoundToBeSpoilt() throws InterruptedException {
    Reader reader =
        beside(
            r -> {
              r.readUnchecked();
              return r.spoilt == 0 && r.copies < 200_000_000;
            });
    assertFalse(reader.spoilt == 0, "never overwritten while it was copied");
  }
}
