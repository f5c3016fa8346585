package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.config.DiskKind;
import dev.upcall.fileman.BatchResult;
import dev.upcall.fileman.FileContent;
import dev.upcall.fileman.FileRequest;
import dev.upcall.fileman.FsmUpcall;
import dev.upcall.fileman.PutOptions;
import dev.upcall.fileman.StorePath;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallConfig;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * Durable creation of files of 4 KiB, each a commit of its own, on the store's thread. Options:
 * {@code volume} (made when it is not there), {@code disk}, {@code depth}, {@code cap} (bytes; 0
 * for the standard).
 */
final class CreateJob implements Worker.TimedJob {
  private final FsmUpcall store;
  private final int depth;
  private final Blocks blocks = new Blocks(1);
  private int runs;
  private long files;

  CreateJob(Fields options) {
    this(options, UpcallConfig.DEFAULT);
  }

  /** In a store with settings of its own. */
  CreateJob(Fields options, UpcallConfig settings) {
    UpcallConfig config =
        settings
            .withDisk(DiskKind.valueOf(options.text("disk")))
            .withCapBytes(options.number("cap"));
    store = Upcall.openOrCreate(Path.of(options.text("volume")), config).fsm();
    depth = (int) options.number("depth");
  }

  FsmUpcall store() {
    return store;
  }

  @Override
  public Tally run(long nanos) {
    String directory = "/run" + ++runs;
    store.createDirectory(directory, false);
    StorePath parent = StorePath.of(directory);
    return ClosedLoop.run(store::execute, depth, nanos, loop -> new Creator(loop, parent));
  }

  @Override
  public void close() {
    store.close();
  }

  private final class Creator extends ClosedLoop.Chain implements CompletionPort<BatchResult> {
    private final StorePath parent;
    private final ByteBuffer content = ByteBuffer.allocate(Blocks.BYTES);

    private Creator(ClosedLoop loop, StorePath parent) {
      super(loop);
      this.parent = parent;
    }

    @Override
    void begin() {
      blocks.fill(++files, content.clear());
      FileRequest put =
          new FileRequest.Put(
              parent.child("f" + files),
              new FileContent.Bytes(content.array()),
              PutOptions.DEFAULT);
      store.fileManager().batch(List.of(put), Durability.SYNC, this);
    }

    @Override
    public void complete(Completion<BatchResult> completion) {
      switch (completion) {
        case Completion.Done<BatchResult> _ -> done();
        case Completion.Failed<BatchResult> failed -> failed(failed.failure());
      }
    }
  }
}
