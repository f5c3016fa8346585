package dev.upcall.sim.store;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Reads pinned content to its end, piece by piece, with pauses, and compares it. */
final class SimReader {
  private final PinnedContent content;
  private final byte[] expected;
  private final SplittableRandom random;
  private final Manners manners;
  private final Runnable over;

  /**
   * How a client behaves.
   *
   * @param pause runs something now or later
   * @param refused judges a failure
   * @param heard is told the SCN of a state that it has heard of
   */
  record Manners(Consumer<Runnable> pause, Consumer<Failure> refused, LongConsumer heard) {}

  /**
   * A reader.
   *
   * @param over run when the content was read and closed
   */
  SimReader(
      PinnedContent content,
      byte[] expected,
      SplittableRandom random,
      Manners manners,
      Runnable over) {
    this.content = content;
    this.expected = expected;
    this.random = random;
    this.manners = manners;
    this.over = over;
  }

  /** Reads from here on; now and then it looks first what is in memory. */
  void next(int at) {
    int most = 1 + random.nextInt(100_000);
    ContentSlice slice = most % 4 == 0 ? content.tryRead(at, most) : null;
    if (slice != null) {
      manners.pause().accept(() -> compare(at, slice));
      return;
    }
    content.read(
        at,
        most,
        IoClass.FOREGROUND_READ,
        completion -> {
          switch (completion) {
            case Completion.Failed<ContentSlice> failed -> {
              manners.refused().accept(failed.failure());
              close();
            }
            case Completion.Done<ContentSlice> ok ->
                manners.pause().accept(() -> compare(at, ok.value()));
          }
        });
  }

  private void compare(int at, ContentSlice slice) {
    int position = at;
    for (ByteBuffer buffer : slice.buffers()) {
      byte[] found = new byte[buffer.remaining()];
      buffer.get(buffer.position(), found);
      int mismatch =
          Arrays.mismatch(
              found,
              0,
              found.length,
              expected,
              position,
              Math.min(position + found.length, expected.length));
      if (mismatch >= 0) {
        throw new AssertionError(
            "wrong byte at %d of %d of file %d, version %d"
                .formatted(
                    position + mismatch,
                    expected.length,
                    content.inode().id(),
                    content.inode().version()));
      }
      position += found.length;
    }
    int size = slice.sizeBytes();
    slice.release();
    if (size == 0) {
      if (at != expected.length) {
        throw new AssertionError("content ends at %d, not at %d".formatted(at, expected.length));
      }
      close();
    } else {
      next(at + size);
    }
  }

  private void close() {
    content.close();
    over.run();
  }
}
