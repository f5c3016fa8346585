package dev.upcall.txn;

import dev.upcall.completion.Failure;
import dev.upcall.config.PlaceConfig;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.pressure.PlaceCounters;
import dev.upcall.pressure.PlaceQueue;
import dev.upcall.pressure.Turns;

/**
 * How many handles may hold writes that are not committed, and how many frames each: so few that
 * together they take half of the frames at most. Else some could hold all frames, each waiting for
 * one more. Their number follows from the store's memory, whoever has the frames: where the
 * machines have a part of them, each handle gets less. Further ones wait in line. Dispatcher's
 * thread only.
 */
public final class WriterLimit {
  private static final int MOST_PIECE_BLOCKS = 64;
  private static final int MOST_SPILL_BLOCKS = 256;

  /** Blocks that a write which is being merged holds besides: edges as they were. */
  private static final int EDGE_BLOCKS = 4;

  private final int pieceBlocks;
  private final int spillBlocks;
  private final PlaceQueue places;
  private final Turns turns;

  /**
   * A limit.
   *
   * @param memoryBlocks frames of the whole store, of which the number of handles follows
   * @param frameBlocks those that the handles take from
   * @param waiting how further handles wait
   */
  public WriterLimit(
      int memoryBlocks, int frameBlocks, Dispatcher dispatcher, PlaceConfig waiting) {
    int piece = Math.clamp(memoryBlocks / 32, 1, MOST_PIECE_BLOCKS);
    int spill = Math.clamp(memoryBlocks / 16, 1, MOST_SPILL_BLOCKS);
    int most = Math.max(1, memoryBlocks / 2 / (spill + 2 * piece + EDGE_BLOCKS));
    // A handle holds what it has collected, a piece as it was and as it becomes, and the edges.
    int each = frameBlocks / 2 / most - EDGE_BLOCKS;
    pieceBlocks = Math.clamp(each / 6, 1, piece);
    spillBlocks = Math.clamp(each - 2 * pieceBlocks, 1, spill);
    places = new PlaceQueue(dispatcher, "handles with writes to commit", most, waiting);
    turns = new Turns(dispatcher);
  }

  /** The most bytes that are merged at once. */
  public int pieceBytes() {
    return pieceBlocks * Disk.BLOCK_BYTES;
  }

  /** Collected bytes from which on a handle gives them a place on the volume. */
  public int spillBytes() {
    return spillBlocks * Disk.BLOCK_BYTES;
  }

  /** The place of a handle, taken while it has writes to commit. */
  public PlaceQueue.Place place() {
    return places.place();
  }

  /** Turns of handles to commit, at segments by their ids. */
  public Turns turns() {
    return turns;
  }

  /** How the places are used. */
  public PlaceCounters counters() {
    return places.counters();
  }

  /** Nobody waits for a place any more. */
  public void stopWaiting(Failure why) {
    places.stop(why);
  }
}
