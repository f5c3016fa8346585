package dev.upcall.bench.worker;

import dev.upcall.bench.composition.CompositionJob;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import dev.upcall.bench.workload.ManyFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What {@link CompositionJob} does, with {@link Files#readAllBytes} of plain files in the page
 * cache. Options: {@code folder} (made), {@code files}, {@code depth} (threads).
 */
final class PlainReadJob implements Job.Timed {
  private final List<Path> paths;
  private final ThreadedLoop threads;

  PlainReadJob(Fields options) throws IOException {
    Path folder = Path.of(options.text("folder"));
    paths =
        ManyFiles.names(options.number("files")).stream()
            .map(name -> folder.resolve(name.substring(1)))
            .toList();
    threads = ThreadedLoop.platform((int) options.number("depth"));
    Blocks blocks = new Blocks(1);
    for (int file = 0; file < paths.size(); file++) {
      Files.createDirectories(paths.get(file).getParent());
      byte[] content = new byte[Blocks.BYTES];
      blocks.fill(file, ByteBuffer.wrap(content));
      Files.write(paths.get(file), content);
    }
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    return ManyFiles.readAtRandom(
        threads, nanos, paths.size(), file -> Files.readAllBytes(paths.get(file)));
  }

  @Override
  public void close() {
    threads.close();
  }
}
