package dev.upcall.bench.ageing;

import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The steps of {@link AgeingMix} by a few threads, each durable; latencies are those of steps that
 * put a whole file. Options: {@code keeper} ({@code store} or {@code plain}), {@code place} (made),
 * {@code cap} (bytes of the store's volume), {@code live} (bytes of all files), {@code threads}.
 */
public final class AgeingJob implements Job.Timed {
  private static final int LOOKED_AT = 100;

  private final AgedFiles files;
  private final ThreadedLoop threads;
  private final List<Ager> agers = new ArrayList<>();

  /** Makes the files. */
  public AgeingJob(Fields options) throws IOException, InterruptedException {
    Path place = Path.of(options.text("place"));
    files =
        switch (options.text("keeper")) {
          case "store" ->
              new StoreFiles(
                  place,
                  new DeviceChoice(options)
                      .in(UpcallConfig.DEFAULT.withCapBytes(options.number("cap"))));
          case "plain" -> new PlainFiles(place);
          case String other -> throw new IllegalArgumentException("no such keeper: " + other);
        };
    int count = (int) options.number("threads");
    threads = ThreadedLoop.platform(count);
    try {
      for (int thread = 0; thread < count; thread++) {
        files.createDirectory(AgeingMix.directory(thread));
        agers.add(new Ager(thread, options.number("live") / count));
      }
      threads.runSteps(1, thread -> agers.get(thread)::fill);
    } catch (IOException | InterruptedException | RuntimeException broken) {
      close();
      throw broken;
    }
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    Tally tally = threads.run(nanos, agers::get);
    long liveBytes = 0;
    for (Ager ager : agers) {
      ager.look();
      liveBytes += ager.mix.liveBytes();
    }
    return tally.remark("live-MiB=%.0f %s", liveBytes / (double) (1 << 20), files.describe());
  }

  @Override
  public void close() throws IOException {
    threads.close();
    files.close();
  }

  /** What one thread does. */
  private final class Ager implements ThreadedLoop.Step {
    private final AgeingMix mix;
    private final Blocks blocks;
    private AgeingMix.Kind last = AgeingMix.Kind.DELETE;
    private long count;

    private Ager(int thread, long liveBytes) {
      mix = new AgeingMix(thread, liveBytes);
      blocks = new Blocks(thread);
    }

    private void fill() throws IOException {
      while (mix.hasRoom()) {
        apply(mix.fill());
      }
    }

    @Override
    public void run() throws IOException {
      apply(mix.next());
    }

    private void apply(AgeingMix.Step step) throws IOException {
      last = step.kind();
      byte[] content = new byte[step.bytes()];
      blocks.fill(++count, ByteBuffer.wrap(content));
      switch (step.kind()) {
        case PUT, OVERWRITE -> files.put(step.name(), content);
        case APPEND -> files.append(step.name(), content);
        case DELETE -> files.delete(step.name());
      }
    }

    @Override
    public void tell(Tally tally, long nanos, long endedNanos) {
      if (last.isPut()) {
        tally.add(1, nanos, endedNanos);
      } else {
        tally.count(1);
      }
    }

    /** Fails when some of the files are not as long as they should be. */
    private void look() throws IOException {
      List<AgeingMix.Live> all = mix.files();
      for (int i = 0; i < all.size(); i += Math.max(1, all.size() / LOOKED_AT)) {
        long sizeBytes = files.sizeBytes(all.get(i).name());
        if (sizeBytes != all.get(i).bytes()) {
          throw new IOException(all.get(i) + " has " + sizeBytes + " bytes");
        }
      }
    }
  }
}
