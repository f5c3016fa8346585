package dev.upcall.bench.composition;

import dev.upcall.AsyncReads;
import dev.upcall.BatchResult;
import dev.upcall.FileContent;
import dev.upcall.FsmUpcall;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.workload.FileSetDraws;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Cycles by an {@link OwnThreadLoop}. Open, read and close are one request; a file above 256 KiB
 * takes one more for each further piece. Runs on the thread that made it.
 */
final class OwnCycles implements Cycles {
  private static final byte[] NOTHING = {};

  private final OwnThreadLoop loop;
  private final FileSetDraws.Table table;
  private final ArrayDeque<Cycle> idle = new ArrayDeque<>();
  private int made;
  private int inFlight;

  OwnCycles(FsmUpcall store, FileSetDraws.Table table) {
    this.loop = new OwnThreadLoop(store.newAsyncFiles());
    this.table = table;
  }

  @Override
  public void prepare(int count) {
    inFlight = count;
    while (made < count) {
      idle.add(new Cycle(++made));
    }
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    return loop.run(nanos, this::begin);
  }

  private void begin() {
    while (made - idle.size() < inFlight) {
      idle.remove().begin();
    }
  }

  @Override
  public void close() {
    loop.close();
  }

  private final class Cycle {
    private final FileSetDraws draws;
    private FileSetDraws.Wanted wanted;
    private StorePath path = StorePath.ROOT;
    private byte[] content = NOTHING;
    private int bytes;
    private long beganNanos;

    private Cycle(int worker) {
      draws = new FileSetDraws(table, worker);
      wanted = draws.next();
    }

    private void begin() {
      wanted = draws.next();
      beganNanos = System.nanoTime();
      path = StorePath.of(wanted.path());
      bytes = 0;
      if (draws.isRewrite()) {
        FileRequest put =
            new FileRequest.Put(
                path, new FileContent.Bytes(wanted.newContent()), PutOptions.DEFAULT);
        loop.files().batch(List.of(put), Durability.SYNC, this::put);
      } else {
        read();
      }
    }

    private void read() {
      int most = Math.min(AsyncReads.MAX_READ_BYTES, wanted.sizeBytes() - bytes);
      loop.files().read(path, bytes, most, this::took);
    }

    private void took(Completion<byte[]> completion) {
      switch (completion) {
        case Completion.Done<byte[]>(byte[] piece) -> {
          if (bytes == 0) {
            content = piece.length == wanted.sizeBytes() ? piece : new byte[wanted.sizeBytes()];
          }
          if (content != piece) {
            System.arraycopy(piece, 0, content, bytes, piece.length);
          }
          bytes += piece.length;
          if (piece.length > 0 && bytes < wanted.sizeBytes()) {
            read();
          } else {
            wanted.check(content);
            done();
          }
        }
        case Completion.Failed<byte[]> failed -> failed(failed.failure());
      }
    }

    private void put(Completion<BatchResult> completion) {
      switch (completion) {
        case Completion.Done<BatchResult> _ -> done();
        case Completion.Failed<BatchResult> failed -> failed(failed.failure());
      }
    }

    private void done() {
      loop.done(beganNanos);
      // As many cycles as ever were in flight take turns: what they kept would outlive collections.
      content = NOTHING;
      idle.add(this);
    }

    private void failed(Failure why) {
      loop.failed(why);
      idle.add(this);
    }
  }
}
