package dev.upcall.bench.edits;

import dev.upcall.FileInfo;
import dev.upcall.OpenMode;
import dev.upcall.Upcall;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import dev.upcall.content.EditPolicy;
import dev.upcall.trees.FileRewrite;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

/** A file of a store read from begin to end, from the device; units are MiB. */
final class Scan implements EditSide {
  /** What is collected of one edit after the other before they are committed. */
  private static final int EDITS_OF_A_COMMIT = 16;

  private static final long SEED = 1992;

  private final EditedStore store;
  private final String name;
  private final String path;
  private final ThreadedLoop thread = ThreadedLoop.platform(1);

  /** Of a new file. */
  Scan(EditedStore store, String name, long size) {
    this.store = store;
    this.name = name;
    this.path = "/" + name;
    store.make(name, size);
  }

  /**
   * What was done to a file before.
   *
   * @param count as many inserts as cuts, at bytes by chance
   * @param bytes of each, in the mean, half to one and a half of it
   * @param threshold of the file's policy
   */
  record Edits(String name, int count, int bytes, int threshold) {}

  /** Of a file after edits that have their places. */
  static Scan edited(EditedStore store, Edits edits, long size) {
    Scan scan = new Scan(store, edits.name(), size);
    store.choose(edits.name(), new EditPolicy.Eos(edits.threshold()));
    Random random = new Random(SEED);
    byte[] content = new byte[2 * edits.bytes()];
    random.nextBytes(content);
    try (Upcall.RandomAccess file = store.store().open(scan.path, OpenMode.EXISTING)) {
      for (int i = 0; i < edits.count(); i++) {
        int length = edits.bytes() / 2 + random.nextInt(edits.bytes());
        long left = file.sizeBytes() - length;
        if (i % 2 == 0) {
          file.insert(random.nextLong(left), ByteBuffer.wrap(content, 0, length));
        } else {
          file.cut(random.nextLong(left), length);
        }
        if (i % EDITS_OF_A_COMMIT == 0) {
          file.flush();
        }
      }
    }
    store.store().checkpoint();
    return scan;
  }

  /** The same after it was made to lie together. */
  Scan rewritten() {
    try (FileRewrite rewrite = FileRewrite.of(store.store(), path)) {
      while (rewrite.step()) {
        // All of it is measured in what is read afterwards.
      }
    }
    store.store().checkpoint();
    return this;
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    Tally tally = thread.run(nanos, _ -> new WholeFile());
    FileInfo info = store.store().stat(path);
    return tally.remark(
        "pieces=%d utilization=%.3f",
        info.stored().pieces(), (double) info.sizeBytes() / info.stored().bytes());
  }

  @Override
  public void close() {
    thread.close();
  }

  private final class WholeFile implements ThreadedLoop.Step {
    private int pieces;

    @Override
    public void run() throws IOException {
      pieces = store.scan(name);
    }

    @Override
    public void tell(Tally tally, long nanos, long endedNanos) {
      tally.add(pieces, nanos, endedNanos);
    }
  }
}
