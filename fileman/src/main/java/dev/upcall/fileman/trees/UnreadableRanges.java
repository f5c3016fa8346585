package dev.upcall.fileman.trees;

import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.io.Disk;
import dev.upcall.trees.TreeProblem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Finds which ranges of a file cannot be read, by reading what is left of it: large pieces, and
 * halves of those that fail, down to single blocks.
 */
final class UnreadableRanges {
  private static final int PIECE_BYTES = 256 << 10;

  /**
   * After so many reads that failed the rest of the file is given up, as on a device that is gone.
   */
  private static final int MAX_FAILED_READS = 400;

  /** In words are listed so many. */
  private static final int MAX_WORDS = 5;

  private final Upcall.ReadStream version;
  private final Runnable check;
  private final ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
  private final List<TreeProblem.Range> found = new ArrayList<>();

  private UnreadableRanges(Upcall.ReadStream version, Runnable check) {
    this.version = version;
    this.check = check;
  }

  /** A file could not be read; says which ranges of it and why. */
  static final class DamagedFileException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient List<TreeProblem.Range> ranges;

    private DamagedFileException(List<TreeProblem.Range> ranges, UpcallException why) {
      super(words(ranges) + why.failure().message(), why);
      this.ranges = ranges;
    }

    List<TreeProblem.Range> ranges() {
      return ranges;
    }
  }

  /**
   * What to tell of a file, of which a read has failed.
   *
   * @param from where that read began: what comes before was read
   * @param check throws where somebody wants the end
   */
  static DamagedFileException of(
      Upcall.ReadStream version, long from, Runnable check, UpcallException why) {
    UnreadableRanges ranges = new UnreadableRanges(version, check);
    ranges.find(from / Disk.BLOCK_BYTES * Disk.BLOCK_BYTES);
    return new DamagedFileException(ranges.found, why);
  }

  private void find(long from) {
    long sizeBytes = version.info().sizeBytes();
    int failed = 0;
    int wanted = PIECE_BYTES;
    for (long at = from; at < sizeBytes; ) {
      check.run();
      int bytes = (int) Math.min(wanted, sizeBytes - at);
      if (isReadable(at, bytes)) {
        at += bytes;
        wanted = Math.min(2 * wanted, PIECE_BYTES);
      } else if (++failed > MAX_FAILED_READS) {
        add(at, sizeBytes - at);
        return;
      } else if (bytes > Disk.BLOCK_BYTES) {
        wanted = Math.max(Disk.BLOCK_BYTES, wanted / 2);
      } else {
        add(at, bytes);
        at += bytes;
      }
    }
  }

  private boolean isReadable(long at, int bytes) {
    piece.clear().limit(bytes);
    try {
      while (piece.hasRemaining() && version.read(at + piece.position(), piece) >= 0) {
        check.run();
      }
      return true;
    } catch (UpcallException refused) {
      if (Damage.isIn(refused.failure())) {
        return false;
      }
      throw refused;
    }
  }

  private void add(long at, long bytes) {
    if (!found.isEmpty() && found.getLast().offset() + found.getLast().bytes() == at) {
      TreeProblem.Range before = found.removeLast();
      found.add(new TreeProblem.Range(before.offset(), before.bytes() + bytes));
    } else {
      found.add(new TreeProblem.Range(at, bytes));
    }
  }

  private static String words(List<TreeProblem.Range> ranges) {
    if (ranges.isEmpty()) {
      return "";
    }
    String first =
        ranges.stream()
            .limit(MAX_WORDS)
            .map(TreeProblem.Range::toString)
            .collect(Collectors.joining(", "));
    int more = ranges.size() - MAX_WORDS;
    return first + (more > 0 ? " and " + more + " ranges more" : "") + " cannot be read: ";
  }
}
