package dev.upcall.txn.checkpoint;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.space.MapChunk;
import dev.upcall.space.MapImage;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Writes all copies of changed chunks of the free-space map to their homes, a few chunks in each
 * turn of the dispatcher, and a few at a time. One object for one image.
 */
final class MapWriting {
  /** So many chunks are encoded, and given to the disk, in one turn. */
  static final int STEP_CHUNKS = 4;

  private static final int CHUNKS_IN_FLIGHT = 8;

  private final StoreContext context;
  private final VolumeLayout layout;
  private final MapImage image;
  private final CompletionPort<Unit> port;
  private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
  private int inFlight;
  private boolean stepping;
  private Completion<Unit> result = Completion.done();

  private MapWriting(
      StoreContext context, VolumeLayout layout, MapImage image, CompletionPort<Unit> port) {
    this.context = context;
    this.layout = layout;
    this.image = image;
    this.port = port;
  }

  /**
   * Writes, the first chunks in an upcall of its own; completes, or fails, when all is written or
   * no write is under way any more.
   */
  static void write(
      StoreContext context, VolumeLayout layout, MapImage image, CompletionPort<Unit> port) {
    new MapWriting(context, layout, image, port).stepSoon();
  }

  private void stepSoon() {
    if (!stepping) {
      stepping = true;
      // A timer, not a post: the next turn looks for completions first.
      context.dispatcher().schedule(0, this::step);
    }
  }

  private void step() {
    stepping = false;
    boolean failed = result instanceof Completion.Failed<Unit>;
    for (int i = 0; i < STEP_CHUNKS && inFlight < CHUNKS_IN_FLIGHT && !failed; i++) {
      MapChunk chunk = image.next();
      if (chunk == null) {
        break;
      }
      write(chunk);
    }
    boolean over = failed || image.isTaken();
    if (!over && inFlight < CHUNKS_IN_FLIGHT) {
      stepSoon();
    } else if (over && inFlight == 0) {
      // Not at the first failure: whoever is told may close the disk under the other writes.
      port.complete(result);
    }
  }

  private void write(MapChunk chunk) {
    ByteBuffer pooled = free.poll();
    ByteBuffer block = pooled == null ? Disk.newBuffer(Disk.BLOCK_BYTES) : pooled.clear();
    block.put(chunk.image()).flip();
    inFlight++;
    int[] copiesLeft = {layout.mapCopies()};
    for (int copy = 0; copy < layout.mapCopies(); copy++) {
      context
          .disk()
          .submit(
              new DiskRequest.Write(
                  layout.mapStart(copy) + chunk.homeBlock(),
                  List.of(block.duplicate()),
                  context.pressure().ioClass(),
                  completion -> written(block, copiesLeft, completion)));
    }
  }

  private void written(ByteBuffer block, int[] copiesLeft, Completion<Unit> completion) {
    copiesLeft[0]--;
    Invariants.check(copiesLeft[0] >= 0, "copies of a chunk that ended twice", copiesLeft[0]);
    if (completion instanceof Completion.Failed<Unit>) {
      result = completion;
    }
    if (copiesLeft[0] == 0) {
      inFlight--;
      free.add(block);
      stepSoon();
    }
  }
}
