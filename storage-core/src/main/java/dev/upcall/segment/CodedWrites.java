package dev.upcall.segment;

import dev.upcall.buffer.Lease;
import dev.upcall.coding.StoredUnit;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.LayoutBuilder;
import dev.upcall.segment.layout.Staged;
import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes frames of one new content that are to be compressed: a run of 1 MiB at most is coded and
 * gets its place at a time, while those before are still written. Dispatcher's thread only.
 */
final class CodedWrites implements ContentWrites {
  private static final int RUN_FRAMES =
      Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES / ContentReader.CHUNK_BLOCKS;

  private final ContentPlacer placer;
  private final LayoutBuilder layout;
  private final UnitCoder coder;
  private final Written written;
  private final ArrayDeque<DataRun> line = new ArrayDeque<>();
  private boolean isCoding;
  private int inFlight;

  /**
   * For new content.
   *
   * @param written gets the frames of each run back when they are written, or why they were not
   */
  CodedWrites(ContentPlacer placer, LayoutBuilder layout, UnitCoder coder, Written written) {
    this.placer = placer;
    this.layout = layout;
    this.coder = coder;
    this.written = written;
  }

  @Override
  public int inFlight() {
    return inFlight;
  }

  @Override
  public void place(DataRun run) {
    for (int from = 0; from < run.leases().size(); from += RUN_FRAMES) {
      int frames = Math.min(RUN_FRAMES, run.leases().size() - from);
      int before = from * ContentReader.CHUNK_BLOCKS;
      int blocks = Math.min(frames * ContentReader.CHUNK_BLOCKS, run.blocks() - before);
      inFlight++;
      line.addLast(
          new DataRun(run.at() + before, run.leases().subList(from, from + frames), blocks));
    }
    codeNext();
  }

  private void codeNext() {
    DataRun run = isCoding ? null : line.pollFirst();
    if (run != null) {
      isCoding = true;
      coder.code(
          run,
          completion -> {
            switch (completion) {
              case Completion.Failed<UnitCoder.Coded> failed -> {
                placed();
                ended(run.leases(), failed.cast());
              }
              case Completion.Done<UnitCoder.Coded>(UnitCoder.Coded coded) -> {
                if (coded.isAny()) {
                  placeCoded(run, coded);
                } else {
                  placePlain(run);
                }
              }
            }
          });
    }
  }

  private void ended(List<Lease> leases, Completion<Unit> completion) {
    inFlight--;
    written.written(leases, completion);
  }

  /** The layout knows the place of a run, or never will. */
  private void placed() {
    isCoding = false;
    codeNext();
  }

  private void placePlain(DataRun run) {
    placer
        .space()
        .allocate(
            run.blocks(),
            completion -> {
              switch (completion) {
                case Completion.Failed<List<Extent>> failed -> {
                  placed();
                  ended(run.leases(), failed.cast());
                }
                case Completion.Done<List<Extent>>(List<Extent> extents) -> {
                  List<Staged.NamedBlocks> named = new ArrayList<>(extents.size());
                  placer.write(
                      ContentPlacer.Blocks.of(run.leases(), run.blocks()),
                      extents,
                      IoClass.FOREGROUND_WRITE,
                      named,
                      done -> ended(run.leases(), done));
                  layout.append(run.at(), named);
                  coder.meter().plain(run.blocks());
                  placed();
                }
              }
            });
  }

  private void placeCoded(DataRun run, UnitCoder.Coded coded) {
    placer
        .space()
        .allocate(
            coded.storedBlocks(),
            completion -> {
              switch (completion) {
                case Completion.Failed<List<Extent>> failed -> {
                  coded.memory().forEach(Lease::release);
                  placed();
                  ended(run.leases(), failed.cast());
                }
                case Completion.Done<List<Extent>>(List<Extent> extents) -> {
                  if (isEachTogether(coded, extents)) {
                    write(run, coded, extents, coder.codec());
                    placed();
                  } else {
                    // Free space is in short pieces here, and a unit is stored in one.
                    coded.memory().forEach(Lease::release);
                    placer.space().giveBack(extents);
                    placePlain(run);
                  }
                }
              }
            });
  }

  /** Whether no coded unit would lie in two extents. */
  private static boolean isEachTogether(UnitCoder.Coded coded, List<Extent> extents) {
    int extent = 0;
    long left = extents.getFirst().blocks();
    for (UnitCoder.Made unit : coded.units()) {
      if (unit.isCoded() && left > 0 && left < unit.storedBlocks()) {
        return false;
      }
      long blocks = unit.storedBlocks();
      while (blocks > left) {
        blocks -= left;
        left = extents.get(++extent).blocks();
        if (unit.isCoded() && left < blocks) {
          return false;
        }
      }
      left -= blocks;
    }
    return true;
  }

  private void write(DataRun run, UnitCoder.Coded coded, List<Extent> extents, int codec) {
    List<ByteBuffer> buffers = coded.units().stream().map(UnitCoder.Made::bytes).toList();
    List<Staged.NamedBlocks> named = new ArrayList<>(extents.size());
    placer.write(
        new ContentPlacer.Blocks(buffers, coded.storedBlocks()),
        extents,
        IoClass.FOREGROUND_WRITE,
        named,
        done -> {
          coded.memory().forEach(Lease::release);
          ended(run.leases(), done);
        });
    layout.append(entries(run.at(), coded, named, codec));
    for (UnitCoder.Made unit : coded.units()) {
      if (unit.isCoded()) {
        coder.meter().coded(unit.blocks(), unit.storedBlocks());
      } else {
        coder.meter().plain(unit.blocks());
      }
    }
  }

  private static List<ExtentEntry> entries(
      long at, UnitCoder.Coded coded, List<Staged.NamedBlocks> named, int codec) {
    List<ExtentEntry> entries = new ArrayList<>();
    long block = at;
    int run = 0;
    int used = 0;
    for (UnitCoder.Made unit : coded.units()) {
      int left = unit.storedBlocks();
      while (left > 0) {
        Staged.NamedBlocks present = named.get(run);
        int length = Math.min(left, Math.toIntExact(present.extent().blocks()) - used);
        int[] checksums = Arrays.copyOfRange(present.checksums(), used, used + length);
        long stored = present.extent().block() + used;
        ExtentEntry entry =
            unit.isCoded()
                ? new ExtentEntry.Coded(
                    block,
                    new StoredUnit(stored, checksums, unit.blocks(), codec, unit.storedBytes()),
                    0,
                    unit.blocks())
                : new ExtentEntry.Plain(block, new Extent(stored, length), checksums);
        entries.add(entry);
        block = entry.logicalEnd();
        left -= length;
        used += length;
        if (used == present.extent().blocks()) {
          run++;
          used = 0;
        }
      }
    }
    return entries;
  }
}
