package dev.upcall.bench.edits;

import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.bench.job.Tally;
import dev.upcall.request.FileRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Many files, each with blocks of its own, joined into a new one by one batch of ranges. A run is
 * one join, however long; the file that it made is gone before the next one.
 */
final class JoinedFiles implements EditSide {
  private static final StorePath JOINED = StorePath.of("/joined");
  private static final double MIB = 1 << 20;

  private final EditedStore store;
  private final long joinedBytes;
  private final List<FileRequest> copies = new ArrayList<>();

  /** Makes them, of so many bytes each. */
  JoinedFiles(EditedStore store, int files, long size) {
    this.store = store;
    joinedBytes = files * size;
    for (int i = 0; i < files; i++) {
      String name = "part" + i;
      store.make(name, size);
      copies.add(
          new FileRequest.CopyRange(
              FileRequest.Range.all(StorePath.of("/" + name)),
              JOINED,
              i * size,
              FileRequest.Placing.INSERT));
    }
    store.store().checkpoint();
  }

  @Override
  public Tally run(long nanos) throws IOException {
    long read = store.readBytes();
    long written = store.writtenBytes();
    Tally tally = new Tally();
    long begun = System.nanoTime();
    store
        .store()
        .change(
            new FileRequest.Put(JOINED, new FileContent.Bytes(new byte[0]), PutOptions.DEFAULT));
    store.store().batch(copies);
    long ended = System.nanoTime();
    tally.add(1, ended - begun, ended);
    tally.end();
    read = store.readBytes() - read;
    long durable = store.writtenBytes() - written;
    store.store().checkpoint();
    written = store.writtenBytes() - written;
    FileInfo joined = store.store().stat(JOINED.toString());
    if (joined.sizeBytes() != joinedBytes) {
      throw new IOException(JOINED + " has " + joined.sizeBytes() + " bytes, not " + joinedBytes);
    }
    tally.remark(
        "pieces=%d MiB-read=%.2f MiB-written=%.2f MiB-written-with-a-checkpoint=%.2f",
        joined.stored().pieces(), read / MIB, durable / MIB, written / MIB);
    store.store().delete(JOINED.toString());
    store.store().checkpoint();
    return tally;
  }

  @Override
  public void close() {
    // The files are the store's.
  }
}
