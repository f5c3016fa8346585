package dev.upcall.bench.composition;

import dev.upcall.BatchResult;
import dev.upcall.FileContent;
import dev.upcall.FsmUpcall;
import dev.upcall.OpenFile;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.bench.job.ClosedLoop;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.workload.FileSetDraws;
import dev.upcall.completion.Completion;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.io.IoClass;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.PinnedContent;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Composition 1: the application runs on the store's own thread. Each of its cycles goes through
 * the FIFO once, and there the file is opened, read and closed; what is not in memory comes as a
 * completion.
 */
final class SharedCycles implements Cycles {
  private static final LeaseOwner OWNER = new LeaseOwner("bench", 0);
  private static final int READ_BYTES = 1 << 20;

  private final FsmUpcall store;
  private final FileSetDraws.Table table;
  private final AtomicInteger workers = new AtomicInteger();
  private int inFlight = 1;

  SharedCycles(FsmUpcall store, FileSetDraws.Table table) {
    this.store = store;
    this.table = table;
  }

  @Override
  public void prepare(int count) {
    inFlight = count;
  }

  @Override
  public Tally run(long nanos) {
    return ClosedLoop.run(store::execute, inFlight, nanos, Cycle::new);
  }

  @Override
  public void close() {
    // What it opens it closes.
  }

  private final class Cycle extends ClosedLoop.Chain {
    private final FileSetDraws draws = new FileSetDraws(table, workers.incrementAndGet());
    private FileSetDraws.Wanted wanted = draws.next();
    private final Runnable next = this::next;
    private ByteBuffer content = ByteBuffer.allocate(0);

    private Cycle(ClosedLoop loop) {
      super(loop);
    }

    @Override
    protected void begin() {
      store.fileManager().dispatcher().post(next);
    }

    private void next() {
      wanted = draws.next();
      StorePath path = StorePath.of(wanted.path());
      if (draws.isRewrite()) {
        FileRequest put =
            new FileRequest.Put(
                path, new FileContent.Bytes(wanted.newContent()), PutOptions.DEFAULT);
        store.fileManager().batch(List.of(put), Durability.SYNC, this::put);
      } else {
        Completion<OpenFile> now = store.fileManager().tryOpenRead(path, OWNER);
        if (now == null) {
          store.fileManager().openRead(path, OWNER, this::opened);
        } else {
          opened(now);
        }
      }
    }

    private void put(Completion<BatchResult> completion) {
      switch (completion) {
        case Completion.Done<BatchResult> _ -> done();
        case Completion.Failed<BatchResult> failed -> failed(failed.failure());
      }
    }

    private void opened(Completion<OpenFile> completion) {
      switch (completion) {
        case Completion.Done<OpenFile>(OpenFile file) -> {
          content = ByteBuffer.allocate((int) file.info().sizeBytes());
          read(file);
        }
        case Completion.Failed<OpenFile> failed -> failed(failed.failure());
      }
    }

    private void read(OpenFile file) {
      PinnedContent from = Objects.requireNonNull(file.content());
      while (content.hasRemaining()) {
        int most = Math.min(READ_BYTES, content.remaining());
        ContentSlice slice = from.tryRead(content.position(), most);
        if (slice == null) {
          from.read(
              content.position(),
              most,
              IoClass.FOREGROUND_READ,
              completion -> took(file, completion));
          return;
        }
        copy(slice);
      }
      file.close();
      wanted.check(content.array());
      done();
    }

    private void copy(ContentSlice slice) {
      slice.buffers().forEach(content::put);
      slice.release();
    }

    private void took(OpenFile file, Completion<ContentSlice> completion) {
      switch (completion) {
        case Completion.Done<ContentSlice>(ContentSlice slice) -> {
          copy(slice);
          read(file);
        }
        case Completion.Failed<ContentSlice> failed -> {
          file.close();
          failed(failed.failure());
        }
      }
    }
  }
}
