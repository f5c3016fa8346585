package dev.upcall.bench.worker;

import dev.upcall.bench.composition.CompositionJob;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import dev.upcall.bench.workload.ManyFiles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ceiling of {@link CompositionJob}: a map from a file's name to memory outside the heap, of
 * which a reader gets a copy. Options: {@code files}, {@code depth} (threads).
 */
final class MemoryReadJob implements Job.Timed {
  private final Arena arena = Arena.ofShared();
  private final ConcurrentHashMap<String, MemorySegment> contents = new ConcurrentHashMap<>();
  private final List<String> names;
  private final ThreadedLoop threads;

  MemoryReadJob(Fields options) {
    names = ManyFiles.names(options.number("files"));
    threads = ThreadedLoop.platform((int) options.number("depth"));
    Blocks blocks = new Blocks(1);
    for (int file = 0; file < names.size(); file++) {
      MemorySegment content = arena.allocate(Blocks.BYTES, Blocks.BYTES);
      blocks.fill(file, content.asByteBuffer());
      // A text of its own, as a store has: the caller's is not what it finds.
      contents.put(ManyFiles.path(file).toString(), content);
    }
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    return threads.run(nanos, this::step);
  }

  private ThreadedLoop.Step step(int thread) {
    SplittableRandom random = new SplittableRandom(thread);
    return () -> {
      int file = random.nextInt(names.size());
      MemorySegment content = Objects.requireNonNull(contents.get(names.get(file)));
      ManyFiles.check(file, Blocks.BYTES, content.toArray(ValueLayout.JAVA_BYTE));
    };
  }

  @Override
  public void close() {
    threads.close();
    arena.close();
  }
}
