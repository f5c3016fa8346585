package dev.upcall.bench.worker;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.workload.ManyEntries;
import dev.upcall.bench.workload.ManyFiles;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Makes a store of {@link ManyFiles} or {@link ManyEntries}; done when it is ready. Options: {@code
 * volume} (made), {@code files} (or entries), {@code bytes} (of each), {@code cap}, {@code tables}
 * (0: files).
 */
final class LoadJob implements Job {
  private final Upcall store;

  LoadJob(Fields options) throws IOException, InterruptedException {
    UpcallConfig config = UpcallConfig.DEFAULT.withCapBytes(options.number("cap"));
    store = Upcall.create(Path.of(options.text("volume")), config);
    int tables = (int) options.number("tables");
    if (tables == 0) {
      ManyFiles.load(store, options.number("files"), (int) options.number("bytes"));
    } else {
      new ManyEntries(options.number("files"), tables, (int) options.number("bytes")).load(store);
    }
    store.checkpoint();
  }

  @Override
  public void close() {
    store.close();
  }
}
