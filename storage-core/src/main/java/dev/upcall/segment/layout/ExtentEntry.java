package dev.upcall.segment.layout;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.BlockRun;
import dev.upcall.coding.StoredUnit;
import dev.upcall.space.Extent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A run of placed content. Each entry is one user of the blocks of its extent. */
public sealed interface ExtentEntry {
  /** The most blocks of one entry, so that its checksums fit a tree entry. */
  int MAX_BLOCKS = 128;

  /** The first content block. */
  long logicalBlock();

  /** The first content block behind the run. */
  long logicalEnd();

  /** Where it is stored. */
  Extent extent();

  /** CRC32C of each stored block; never changed. */
  int[] checksums();

  /** This run in pieces that fit a tree entry. */
  List<ExtentEntry> pieces();

  /** The part of this run inside the content blocks [from, to), which must lie within it. */
  ExtentEntry slice(long from, long to);

  /** The same run as other content blocks. */
  ExtentEntry at(long newLogicalBlock);

  /** The stored blocks, as if they were content from a block on. */
  default Plain stored(long newLogicalBlock) {
    return new Plain(newLogicalBlock, extent(), checksums());
  }

  /** Where memory knows one of its content blocks. */
  long address(long block);

  /** Some of its content blocks, for memory. */
  BlockRun run(long block, int blocks);

  /** The content block from which on a reader misses what a stored block has. */
  long firstNeeding(long storedBlock);

  /** The first stored block that a reader of a content block needs. */
  long firstNeeded(long block);

  /**
   * Blocks that are stored as they are.
   *
   * @param logicalBlock the first content block
   * @param extent where they lie
   * @param checksums one for each block of the extent
   */
  record Plain(long logicalBlock, Extent extent, int[] checksums) implements ExtentEntry {
    /** Checks that every block has a checksum. */
    public Plain {
      Invariants.check(
          extent.blocks() == checksums.length, "checksums of an extent entry", checksums.length);
    }

    @Override
    public long logicalEnd() {
      return logicalBlock + extent.blocks();
    }

    @Override
    public List<ExtentEntry> pieces() {
      List<ExtentEntry> pieces = new ArrayList<>();
      for (long from = logicalBlock; from < logicalEnd(); from += MAX_BLOCKS) {
        pieces.add(slice(from, Math.min(from + MAX_BLOCKS, logicalEnd())));
      }
      return pieces;
    }

    @Override
    public Plain slice(long from, long to) {
      if (from == logicalBlock && to == logicalEnd()) {
        return this;
      }
      int skip = Math.toIntExact(from - logicalBlock);
      int blocks = Math.toIntExact(to - from);
      return new Plain(
          from,
          new Extent(extent.block() + skip, blocks),
          Arrays.copyOfRange(checksums, skip, skip + blocks));
    }

    @Override
    public Plain at(long newLogicalBlock) {
      return new Plain(newLogicalBlock, extent, checksums);
    }

    @Override
    public long address(long block) {
      return extent.block() + (block - logicalBlock);
    }

    @Override
    public BlockRun run(long block, int blocks) {
      return new BlockRun(address(block), blocks, checksums, Math.toIntExact(block - logicalBlock));
    }

    @Override
    public long firstNeeding(long storedBlock) {
      return logicalBlock + (storedBlock - extent.block());
    }

    @Override
    public long firstNeeded(long block) {
      return address(block);
    }
  }

  /**
   * A part of a coded unit. Several entries may name parts of one unit; each is a user of all its
   * stored blocks.
   *
   * @param logicalBlock the first content block
   * @param unit the unit
   * @param skip how many of the unit's blocks come before
   * @param blocks how many of them the entry has
   */
  record Coded(long logicalBlock, StoredUnit unit, int skip, int blocks) implements ExtentEntry {
    /** Checks that it is a part. */
    public Coded {
      Invariants.check(
          skip >= 0 && blocks > 0 && skip + blocks <= unit.blocks(), "part of a unit", skip);
    }

    @Override
    public long logicalEnd() {
      return logicalBlock + blocks;
    }

    @Override
    public Extent extent() {
      return unit.extent();
    }

    @Override
    public int[] checksums() {
      return unit.checksums();
    }

    @Override
    public List<ExtentEntry> pieces() {
      return List.of(this);
    }

    @Override
    public Coded slice(long from, long to) {
      return from == logicalBlock && to == logicalEnd()
          ? this
          : new Coded(
              from, unit, skip + Math.toIntExact(from - logicalBlock), Math.toIntExact(to - from));
    }

    @Override
    public Coded at(long newLogicalBlock) {
      return new Coded(newLogicalBlock, unit, skip, blocks);
    }

    @Override
    public long address(long block) {
      return unit.address() + skip + (block - logicalBlock);
    }

    @Override
    public BlockRun run(long block, int some) {
      return new BlockRun(address(block), some, unit);
    }

    @Override
    public long firstNeeding(long storedBlock) {
      return logicalBlock;
    }

    @Override
    public long firstNeeded(long block) {
      return extent().block();
    }
  }
}
