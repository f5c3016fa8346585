package dev.upcall.txn.checkpoint;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.space.MapChunk;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;

/** Writes all copies of changed chunks of the free-space map to their homes, a few at a time. */
final class MapWriting {
  private static final int WRITES_IN_FLIGHT = 16;

  private final StoreContext context;
  private final VolumeLayout layout;
  private final ArrayDeque<MapChunk> chunks;
  private final CompletionPort<Unit> port;
  private int inFlight;
  private Completion<Unit> result = Completion.done();

  private MapWriting(
      StoreContext context, VolumeLayout layout, List<MapChunk> chunks, CompletionPort<Unit> port) {
    this.context = context;
    this.layout = layout;
    this.chunks = new ArrayDeque<>(chunks);
    this.port = port;
  }

  /**
   * Writes; completes, at once when there is nothing to write, or fails when no write is under way
   * any more. Must itself run as an upcall.
   */
  static void write(
      StoreContext context, VolumeLayout layout, List<MapChunk> chunks, CompletionPort<Unit> port) {
    new MapWriting(context, layout, chunks, port).pump();
  }

  private void pump() {
    while (inFlight < WRITES_IN_FLIGHT && !chunks.isEmpty()) {
      MapChunk chunk = chunks.remove();
      ByteBuffer image = Disk.newBuffer(Disk.BLOCK_BYTES).put(chunk.image()).flip();
      for (int copy = 0; copy < layout.mapCopies(); copy++) {
        inFlight++;
        context
            .disk()
            .submit(
                new DiskRequest.Write(
                    layout.mapStart(copy) + chunk.homeBlock(),
                    List.of(image.duplicate()),
                    context.pressure().ioClass(),
                    this::written));
      }
    }
    // Not at the first failure: whoever is told may close the disk under the other writes.
    if (inFlight == 0) {
      Invariants.check(chunks.isEmpty(), "chunks that were not written", chunks.size());
      port.complete(result);
    }
  }

  private void written(Completion<Unit> completion) {
    inFlight--;
    Invariants.check(inFlight >= 0, "map writes that ended twice", inFlight);
    if (completion instanceof Completion.Failed<Unit>) {
      result = completion;
      chunks.clear();
    }
    pump();
  }
}
