package dev.upcall.bench.composition;

import dev.upcall.FsmUpcall;
import dev.upcall.StorePath;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.workload.ManyFiles;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fsm.meter.StageMeter;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;

/** Small reads by an {@link OwnThreadLoop}. Runs on the thread that made it. */
public final class OwnThreadReads implements CompositionJob.Application {
  private final OwnThreadLoop loop;
  private final List<StorePath> paths;
  private final int bytesEach;
  private final ArrayDeque<Read> idle = new ArrayDeque<>();
  private final SplittableRandom random = new SplittableRandom(System.nanoTime());

  /**
   * Opens a door.
   *
   * @param paths of the files, by their numbers
   */
  public OwnThreadReads(FsmUpcall store, List<StorePath> paths, int bytesEach, int depth) {
    this.loop = new OwnThreadLoop(store.newAsyncFiles());
    this.paths = paths;
    this.bytesEach = bytesEach;
    for (int i = 0; i < depth; i++) {
      idle.add(new Read());
    }
  }

  /** The stamps of the reads. */
  public StageMeter stages() {
    return loop.files().stages();
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    return loop.run(nanos, this::begin);
  }

  private void begin() {
    while (!idle.isEmpty()) {
      idle.remove().begin();
    }
  }

  @Override
  public void close() {
    loop.close();
  }

  private final class Read implements CompletionPort<byte[]> {
    private int number;
    private long beganNanos;

    private void begin() {
      number = random.nextInt(paths.size());
      beganNanos = System.nanoTime();
      loop.files().read(paths.get(number), 0, bytesEach, this);
    }

    @Override
    public void complete(Completion<byte[]> completion) {
      switch (completion) {
        case Completion.Done<byte[]>(byte[] bytes) -> {
          ManyFiles.check(number, bytesEach, bytes);
          loop.done(beganNanos);
        }
        case Completion.Failed<byte[]> failed -> loop.failed(failed.failure());
      }
      idle.add(this);
    }
  }
}
