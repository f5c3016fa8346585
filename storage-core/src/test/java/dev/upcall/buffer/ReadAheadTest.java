package dev.upcall.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
  private static final int KIB = 1 << 10;
  private static final long SIZE = 10_000L * KIB;

  /** Of which the largest window is an eighth, 512 KiB. */
  private static final int GROUPS = 64;

  private final BufferWorld w = new BufferWorld(1, GROUPS, 16);
  private final List<Asked> asked = new ArrayList<>();
  private final List<Asked> whole = new ArrayList<>();
  private int runBytes = 1000 * KIB;
  private boolean begins = true;
  private final ReadAhead readAhead = new ReadAhead(w.buffers, SIZE, this::prefetch);

  private record Asked(long fromKib, long toKib) {}

  private long prefetch(long offset, long until) {
    long end = Math.min(until, (offset / runBytes + 1) * runBytes);
    asked.add(new Asked(offset / KIB, end / KIB));
    return begins ? end - offset : 0;
  }

  @AfterEach
  void close() {
    w.buffers.close();
  }

  /** What is asked for during a read, joined. */
  private List<Asked> reading(int fromKib, int kib) {
    asked.clear();
    readAhead.reading((long) fromKib * KIB, kib * KIB);
    whole.clear();
    for (Asked each : asked) {
      Asked before = whole.isEmpty() ? null : whole.getLast();
      if (before != null && before.toKib() == each.fromKib()) {
        whole.set(whole.size() - 1, new Asked(before.fromKib(), each.toKib()));
      } else {
        whole.add(each);
      }
    }
    return List.copyOf(whole);
  }

  private static List<Asked> range(int fromKib, int toKib) {
    return List.of(new Asked(fromKib, toKib));
  }

  @Test
  void theWindowDoublesWhileTheReaderIsInSequenceAndIsFilledUpByQuarters() {
    assertEquals(List.of(), reading(0, 64));
    assertEquals(range(128, 384), reading(64, 64));
    assertEquals(range(384, 704), reading(128, 64));
    assertEquals(List.of(), reading(192, 64), "less than a quarter was read");
    assertEquals(range(704, 832), reading(256, 64));
  }

  @Test
  void aJumpDropsTheWindow() {
    reading(0, 64);
    reading(64, 64);
    assertEquals(List.of(), reading(5000, 64));
    assertEquals(range(5128, 5384), reading(5064, 64));
    assertEquals(List.of(), reading(5064, 64), "the same again");
    assertEquals(List.of(), reading(0, 64));
  }

  @Test
  void whoGetsLessThanTheyWantedIsInSequence() {
    reading(0, 64);
    assertEquals(range(84, 340), reading(20, 64));
    assertEquals(range(340, 604), reading(28, 64));
  }

  @Test
  void whoSkipsLessThanTheWindowIsInSequence() {
    reading(0, 64);
    assertEquals(range(128, 384), reading(64, 64));
    assertEquals(range(448, 960), reading(384, 64));
    assertEquals(List.of(), reading(448 + 513, 64));
  }

  @Test
  void itGoesOverShortRunsButNotAllInOneUpcall() {
    runBytes = 2 * KIB;
    reading(0, 64);
    assertEquals(range(128, 192), reading(64, 64));
    assertEquals(32, asked.size());
    assertEquals(range(192, 256), reading(128, 64));
    assertEquals(32, asked.size());
  }

  @Test
  void whatCannotBeginIsAskedForAgain() {
    begins = false;
    reading(0, 64);
    assertEquals(range(128, 384), reading(64, 64));
    begins = true;
    assertEquals(range(192, 704), reading(128, 64));
  }

  @Test
  void itEndsWhereTheContentEnds() {
    reading(9800, 20);
    assertEquals(range(9840, 10_000), reading(9820, 20));
    assertEquals(List.of(), reading(9840, 160));
  }
}
