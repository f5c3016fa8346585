package dev.upcall.segment;

import dev.upcall.buffer.Lease;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.segment.layout.LayoutBuilder;
import dev.upcall.segment.layout.Staged;
import dev.upcall.space.Extent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes gathered frames of one new content: space is asked for once for each run of them, and what
 * is written goes out in pieces of 1 MiB at most, one in each upcall, since each block is given its
 * checksum there. Dispatcher's thread only.
 */
final class GatheredWrites implements ContentWrites {
  private static final int PIECE_FRAMES =
      Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES / ContentReader.CHUNK_BLOCKS;

  private final StagerParts parts;
  private final LayoutBuilder layout;
  private final Written written;
  private final ArrayDeque<Placed> waiting = new ArrayDeque<>();
  private int inFlight;

  /** A run that has its place. */
  private record Placed(DataRun run, List<Extent> extents) {
    /** The part that one upcall writes. */
    Placed first() {
      int frames = Math.min(PIECE_FRAMES, run.leases().size());
      int blocks = Math.min(frames * ContentReader.CHUNK_BLOCKS, run.blocks());
      return new Placed(
          new DataRun(run.at(), run.leases().subList(0, frames), blocks), part(0, blocks));
    }

    boolean isOnePiece() {
      return run.leases().size() <= PIECE_FRAMES;
    }

    Placed rest() {
      int blocks = PIECE_FRAMES * ContentReader.CHUNK_BLOCKS;
      List<Lease> leases = run.leases().subList(PIECE_FRAMES, run.leases().size());
      return new Placed(
          new DataRun(run.at() + blocks, leases, run.blocks() - blocks),
          part(blocks, run.blocks()));
    }

    /** The blocks [from, to) of the extents. */
    private List<Extent> part(int from, int to) {
      List<Extent> found = new ArrayList<>();
      long at = 0;
      for (Extent extent : extents) {
        long first = Math.max(from, at);
        long end = Math.min(to, at + extent.blocks());
        if (first < end) {
          found.add(new Extent(extent.block() + first - at, end - first));
        }
        at += extent.blocks();
      }
      return found;
    }
  }

  GatheredWrites(StagerParts parts, LayoutBuilder layout, Written written) {
    this.parts = parts;
    this.layout = layout;
    this.written = written;
  }

  @Override
  public int inFlight() {
    return inFlight;
  }

  @Override
  public void place(DataRun run) {
    inFlight++;
    parts
        .placer()
        .space()
        .allocate(
            run.blocks(),
            completion -> {
              switch (completion) {
                case Completion.Failed<List<Extent>> failed -> ended(run.leases(), failed.cast());
                case Completion.Done<List<Extent>>(List<Extent> extents) -> {
                  waiting.add(new Placed(run, extents));
                  // Else the upcall that writes those before comes to it.
                  if (waiting.size() == 1) {
                    writeNext();
                  }
                }
              }
            });
  }

  /** In the order of the content, which is that in which places are given. */
  private void writeNext() {
    Placed next = waiting.removeFirst();
    if (next.isOnePiece()) {
      write(next);
    } else {
      inFlight++;
      waiting.addFirst(next.rest());
      write(next.first());
    }
    if (!waiting.isEmpty()) {
      parts.dispatcher().post(this::writeNext);
    }
  }

  private void write(Placed piece) {
    DataRun run = piece.run();
    List<Staged.NamedBlocks> named = new ArrayList<>(piece.extents().size());
    parts
        .placer()
        .write(
            ContentPlacer.Blocks.of(run.leases(), run.blocks()),
            piece.extents(),
            IoClass.FOREGROUND_WRITE,
            named,
            completion -> ended(run.leases(), completion));
    layout.append(run.at(), named);
  }

  private void ended(List<Lease> leases, Completion<Unit> completion) {
    inFlight--;
    written.written(leases, completion);
  }
}
