package dev.upcall.segment;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.Lease;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The unplaced content of one segment: whole blocks in frames that only the log holds. An immutable
 * value: readers that hold a version keep the parts they saw while a write makes a new overlay.
 * Each overlay value that is held owns one pin of each part's lease: {@link #retain}, {@link
 * #release} and {@link #takeOver} move them together.
 */
public final class Overlay implements Unplaced {
  private static final Part[] NONE = {};

  /** Nothing unplaced. */
  public static final Overlay EMPTY = new Overlay(NONE, 0);

  private final Part[] parts;
  private final long blocks;

  private Overlay(Part[] parts, long blocks) {
    this.parts = parts;
    this.blocks = blocks;
  }

  /**
   * A run of unplaced blocks.
   *
   * @param block the first content block
   * @param blocks how many
   * @param lease the memory
   * @param leaseBlock where in the lease's memory the run starts, in blocks
   */
  public record Part(long block, int blocks, Lease lease, int leaseBlock) implements Piece {
    @Override
    public long end() {
      return block + blocks;
    }

    private Part slice(long from, long to) {
      return new Part(
          from, Math.toIntExact(to - from), lease, leaseBlock + Math.toIntExact(from - block));
    }
  }

  /** The parts, ascending. */
  public List<Part> parts() {
    return Collections.unmodifiableList(Arrays.asList(parts));
  }

  @Override
  public boolean isEmpty() {
    return parts.length == 0;
  }

  /** How many blocks are unplaced. */
  public long blocks() {
    return blocks;
  }

  @Override
  public @Nullable Part ceiling(long block) {
    int first = firstBehind(block);
    return first < parts.length ? parts[first] : null;
  }

  /** The number of the first part that ends behind a content block. */
  private int firstBehind(long block) {
    int low = 0;
    int high = parts.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (parts[middle].end() <= block) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * This overlay without the content blocks [from, to). The result owns no pins until it {@link
   * #takeOver takes over} those of this one, or is {@link #retain retained}.
   */
  public Overlay without(long from, long to) {
    return replaced(from, to, null);
  }

  /** This overlay with a part on top of whatever was there; of pins as {@link #without}. */
  public Overlay with(Part added) {
    return replaced(added.block(), added.end(), added);
  }

  private Overlay replaced(long from, long to, @Nullable Part added) {
    int first = firstBehind(from);
    int behind = first;
    long gone = 0;
    while (behind < parts.length && parts[behind].block() < to) {
      gone += parts[behind].blocks();
      behind++;
    }
    Part left = null;
    Part right = null;
    if (first < behind) {
      Part begun = parts[first];
      Part ended = parts[behind - 1];
      left = begun.block() < from ? begun.slice(begun.block(), from) : null;
      right = ended.end() > to ? ended.slice(to, ended.end()) : null;
    }
    int come = (left == null ? 0 : 1) + (added == null ? 0 : 1) + (right == null ? 0 : 1);
    if (behind == first && come == 0) {
      return this;
    }
    Part[] result = Arrays.copyOf(parts, parts.length - (behind - first) + come);
    System.arraycopy(parts, behind, result, first + come, parts.length - behind);
    long blocksNow = blocks - gone;
    int at = first;
    for (Part part : new @Nullable Part[] {left, added, right}) {
      if (part != null) {
        result[at++] = part;
        blocksNow += part.blocks();
      }
    }
    for (int i = Math.max(1, first); i < result.length && i <= at; i++) {
      Invariants.check(
          result[i - 1].end() <= result[i].block(), "overlay parts overlap", result[i].block());
    }
    return result.length == 0 ? EMPTY : new Overlay(result, blocksNow);
  }

  /**
   * Takes over the pins of an overlay that this one comes in place of, which is not released then.
   * Parts that both have keep theirs, so that one change costs the same however much is unplaced.
   *
   * @return this
   */
  @SuppressWarnings("ReferenceEquality") // the same object, whose pin this is
  public Overlay takeOver(Overlay before) {
    int most = Math.min(parts.length, before.parts.length);
    int same = 0;
    while (same < most && parts[same] == before.parts[same]) {
      same++;
    }
    int sameBehind = 0;
    while (sameBehind < most - same
        && parts[parts.length - 1 - sameBehind]
            == before.parts[before.parts.length - 1 - sameBehind]) {
      sameBehind++;
    }
    // Pinned before the others go: slices have the memory of what they are cut from.
    for (int i = same; i < parts.length - sameBehind; i++) {
      parts[i].lease().retain();
    }
    for (int i = same; i < before.parts.length - sameBehind; i++) {
      before.parts[i].lease().release();
    }
    return this;
  }

  @Override
  public Overlay retain() {
    for (Part part : parts) {
      part.lease().retain();
    }
    return this;
  }

  @Override
  public void release() {
    for (Part part : parts) {
      part.lease().release();
    }
  }
}
