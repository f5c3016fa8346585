package dev.upcall.bench.worker;

import dev.upcall.BatchResult;
import dev.upcall.FileContent;
import dev.upcall.FsmUpcall;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.ClosedLoop;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.workload.StoreCounts;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.config.DiskKind;
import dev.upcall.feed.Recording;
import dev.upcall.fsm.meter.DispatcherMetrics;
import dev.upcall.journal.recording.RecordingConfig;
import dev.upcall.journal.recording.RecordingCounts;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Durable creation of small files, on the store's thread. Options: {@code volume} (made when it is
 * not there), {@code disk}, {@code depth} (commits outstanding), {@code batch} (files of one
 * commit), {@code bytes} (of a file), {@code cap} (bytes of the volume; 0 for the standard), {@code
 * kept} (records of the flight recorder in memory, 0 for no recorder; the standard where it is
 * missing), {@code folder} (where they are written, too; none where it is missing).
 */
final class CreateJob implements Job.Counted {
  private final FsmUpcall store;
  private final @Nullable Recording recording;
  private final int depth;
  private final int batch;
  private final int bytes;
  private final Blocks blocks = new Blocks(1);
  private int runs;
  private long files;

  CreateJob(Fields options) throws IOException {
    UpcallConfig config =
        UpcallConfig.DEFAULT
            .withDisk(DiskKind.valueOf(options.text("disk")))
            .withCapBytes(options.number("cap"));
    store =
        Upcall.openOrCreate(
                Path.of(options.text("volume")),
                new DeviceChoice(options)
                    .in(
                        options.values().containsKey("kept")
                            ? config.withRecordsKept((int) options.number("kept"))
                            : config))
            .fsm();
    depth = (int) options.number("depth");
    batch = (int) options.number("batch");
    bytes = (int) options.number("bytes");
    try {
      recording =
          options.values().containsKey("folder")
              ? Recording.start(
                  store,
                  Path.of(options.text("folder")),
                  RecordingConfig.DEFAULT,
                  UUID.randomUUID())
              : null;
    } catch (IOException | RuntimeException broken) {
      store.close();
      throw broken;
    }
  }

  @Override
  public Tally run(long nanos) {
    long deadlineNanos = System.nanoTime() + nanos;
    return run(now -> now < deadlineNanos);
  }

  @Override
  public Tally runUnits(long units) {
    long last = files + units;
    DispatcherMetrics before = StoreCounts.metrics(store);
    Tally tally = run(_ -> files < last);
    return tally.remark(StoreCounts.longTurns(before, StoreCounts.metrics(store)));
  }

  private Tally run(LongPredicate goesOn) {
    if (recording == null) {
      return create(goesOn);
    }
    RecordingCounts before = recording.counts();
    Tally tally = create(goesOn);
    RecordingCounts after = recording.counts();
    if (!after.off().isEmpty()) {
      throw new IllegalStateException("the recording has ended: " + after.off());
    }
    double units = Math.max(1, tally.units());
    return tally.remark(
        "records=%.1f dropped=%.1f",
        (after.recorded() - before.recorded()) / units,
        (after.dropped() - before.dropped()) / units);
  }

  private Tally create(LongPredicate goesOn) {
    String directory = "/run" + ++runs;
    store.createDirectory(directory);
    StorePath parent = StorePath.of(directory);
    return ClosedLoop.run(store::execute, depth, goesOn, loop -> new Creator(loop, parent));
  }

  @Override
  public void close() throws IOException {
    try {
      if (recording != null) {
        recording.close();
      }
    } finally {
      store.close();
    }
  }

  private final class Creator extends ClosedLoop.Chain implements CompletionPort<BatchResult> {
    private final StorePath parent;

    private Creator(ClosedLoop loop, StorePath parent) {
      super(loop);
      this.parent = parent;
    }

    @Override
    protected void begin() {
      List<FileRequest> puts = new ArrayList<>(batch);
      for (int i = 0; i < batch; i++) {
        byte[] content = new byte[bytes];
        blocks.fill(++files, ByteBuffer.wrap(content));
        puts.add(
            new FileRequest.Put(
                parent.child("f" + files), new FileContent.Bytes(content), PutOptions.DEFAULT));
      }
      store.fileManager().batch(puts, Durability.SYNC, this);
    }

    @Override
    public void complete(Completion<BatchResult> completion) {
      switch (completion) {
        case Completion.Done<BatchResult> _ -> done(batch);
        case Completion.Failed<BatchResult> failed -> failed(failed.failure());
      }
    }
  }
}
