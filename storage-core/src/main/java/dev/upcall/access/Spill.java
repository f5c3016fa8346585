package dev.upcall.access;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.IoClass;
import dev.upcall.segment.ContentPlacer;
import dev.upcall.segment.ContentReader;
import dev.upcall.segment.NamedRuns;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.Staged;
import dev.upcall.space.Extent;
import dev.upcall.space.Reserve;
import dev.upcall.txn.SegmentAccess;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Places blocks of a handle's private content, some at a time, until enough of them are. */
final class Spill {
  private static final int WRITE_BLOCKS = 256;

  private final SegmentAccess access;
  private final PrivateContent content;
  private final boolean everything;
  private final Reserve reserve;
  private final CompletionPort<Unit> port;

  private Spill(
      SegmentAccess access,
      PrivateContent content,
      boolean everything,
      Reserve reserve,
      CompletionPort<Unit> port) {
    this.access = access;
    this.content = content;
    this.everything = everything;
    this.reserve = reserve;
    this.port = port;
  }

  /**
   * Places everything, or everything but the last block. The content must not be written to until
   * the completion.
   *
   * @param reserve how deep it may reach into the space that is kept
   */
  static void run(
      SegmentAccess access,
      PrivateContent content,
      boolean everything,
      Reserve reserve,
      CompletionPort<Unit> port) {
    new Spill(access, content, everything, reserve, port).next();
  }

  private void next() {
    List<Overlay.Part> parts = new ArrayList<>();
    int blocks = 0;
    List<Overlay.Part> all = content.overlay().parts();
    int stop = everything ? all.size() : all.size() - 1;
    for (int i = 0; i < stop && blocks + all.get(i).blocks() <= WRITE_BLOCKS; i++) {
      parts.add(all.get(i));
      blocks += all.get(i).blocks();
    }
    if (parts.isEmpty()) {
      port.complete(Completion.done());
      return;
    }
    int wanted = blocks;
    access
        .layouts()
        .space()
        .allocate(wanted, reserve, port.then(extents -> write(parts, wanted, extents)));
  }

  private void write(List<Overlay.Part> parts, int blocks, List<Extent> extents) {
    List<ByteBuffer> buffers = new ArrayList<>(parts.size());
    for (Overlay.Part part : parts) {
      buffers.add(ContentReader.bytes(part, part.block()));
    }
    List<Staged.NamedBlocks> named = new ArrayList<>();
    access
        .placer()
        .write(
            new ContentPlacer.Blocks(buffers, blocks),
            extents,
            IoClass.FOREGROUND_WRITE,
            named,
            completion -> {
              if (completion instanceof Completion.Failed<Unit>) {
                access.giveBack(extents);
                port.complete(completion);
              } else {
                placed(parts, named);
              }
            });
  }

  private void placed(List<Overlay.Part> parts, List<Staged.NamedBlocks> named) {
    List<ExtentEntry> entries = new ArrayList<>();
    NamedRuns runs = new NamedRuns(named);
    for (Overlay.Part part : parts) {
      runs.entries(part, WRITE_BLOCKS, entries::add);
    }
    List<Extent> freed = new ArrayList<>();
    content.place(entries, freed);
    access.giveBack(freed);
    next();
  }
}
