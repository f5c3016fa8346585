package dev.upcall.segment;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.Lease;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The unplaced content of one segment: whole blocks in frames that only the log holds. An immutable
 * value: readers that hold a version keep the parts they saw while a write makes a new overlay.
 * Each overlay value that is held owns one pin of each part's lease: {@link #retain} and {@link
 * #release} move them together.
 */
public final class Overlay implements Unplaced {
  /** Nothing unplaced. */
  public static final Overlay EMPTY = new Overlay(List.of());

  private final List<Part> parts;

  private Overlay(List<Part> parts) {
    this.parts = parts;
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
    return parts;
  }

  @Override
  public boolean isEmpty() {
    return parts.isEmpty();
  }

  /** How many blocks are unplaced. */
  public long blocks() {
    long blocks = 0;
    for (Part part : parts) {
      blocks += part.blocks();
    }
    return blocks;
  }

  @Override
  public @Nullable Part ceiling(long block) {
    int low = 0;
    int high = parts.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (parts.get(middle).end() <= block) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < parts.size() ? parts.get(low) : null;
  }

  /** This overlay without the content blocks [from, to). The result owns pins of its own. */
  public Overlay without(long from, long to) {
    List<Part> result = new ArrayList<>(parts.size() + 1);
    for (Part part : parts) {
      if (part.end() <= from || part.block() >= to) {
        result.add(part);
        continue;
      }
      if (part.block() < from) {
        result.add(part.slice(part.block(), from));
      }
      if (part.end() > to) {
        result.add(part.slice(to, part.end()));
      }
    }
    return of(result).retain();
  }

  /**
   * This overlay with a part on top of whatever was there. The result owns pins of its own, also
   * one of the new part.
   */
  public Overlay with(Part added) {
    List<Part> result = new ArrayList<>(parts.size() + 2);
    boolean placed = false;
    for (Part part : parts) {
      if (part.end() <= added.block()) {
        result.add(part);
        continue;
      }
      if (part.block() < added.block()) {
        result.add(part.slice(part.block(), added.block()));
      }
      if (!placed) {
        result.add(added);
        placed = true;
      }
      if (part.end() > added.end()) {
        result.add(part.block() >= added.end() ? part : part.slice(added.end(), part.end()));
      }
    }
    if (!placed) {
      result.add(added);
    }
    return of(result).retain();
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

  private static Overlay of(List<Part> parts) {
    for (int i = 1; i < parts.size(); i++) {
      Invariants.check(
          parts.get(i - 1).end() <= parts.get(i).block(),
          "overlay parts overlap",
          parts.get(i).block());
    }
    return parts.isEmpty() ? EMPTY : new Overlay(List.copyOf(parts));
  }
}
