package dev.upcall.bench.securefile;

import dev.upcall.FileInfo;
import dev.upcall.FsmUpcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.LeaseOwner;
import dev.upcall.io.Disk;
import dev.upcall.segment.ContentReader;
import dev.upcall.segment.PinnedContent;
import dev.upcall.space.Extent;
import dev.upcall.txn.Store;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Where the contents of files lie on the volume. After a checkpoint, none is unplaced. */
final class Stretches {
  private static final LeaseOwner OWNER = new LeaseOwner("stretches", 1);

  private final FsmUpcall files;

  Stretches(FsmUpcall files) {
    this.files = files;
  }

  /** In how many stretches of the volume, with something else between them, a file lies. */
  long of(FileInfo file) {
    CompletableFuture<Completion<Long>> counted = new CompletableFuture<>();
    files.execute(() -> count(file, counted::complete));
    return UpcallException.value(counted.join());
  }

  private void count(FileInfo file, CompletionPort<Long> port) {
    Store store = files.fileManager().store();
    store.pin(
        view -> Completion.done(Objects.requireNonNull(view.inode(file.id()), "a listed file")),
        OWNER,
        pinned -> {
          switch (pinned) {
            case Completion.Failed<PinnedContent> failed -> port.complete(failed.cast());
            case Completion.Done<PinnedContent>(PinnedContent content) ->
                store.query(
                    view -> Completion.done(stretches(content, file.sizeBytes())),
                    found -> {
                      content.close();
                      port.complete(found);
                    });
          }
        });
  }

  private static long stretches(PinnedContent content, long sizeBytes) {
    long count = 0;
    long behind = -1;
    long at = 0;
    while (at * Disk.BLOCK_BYTES < sizeBytes) {
      ContentReader.Place place = content.place(at);
      if (place instanceof ContentReader.Place.Placed placed) {
        Extent extent = placed.entry().extent();
        count += extent.block() == behind ? 0 : 1;
        behind = extent.block() + extent.blocks();
      }
      at = place.endBlock();
    }
    return count;
  }
}
