package dev.upcall.bench.worker;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.workload.LogFiller;
import dev.upcall.bench.workload.ManyEntries;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Fills the log of a store and says, when it is ready, how many {@code changes} that took; then it
 * waits to be killed. Options: {@code volume}, {@code files} (or entries), {@code kind} ({@link
 * LogFiller.Kind}, of files), {@code tables} (0: files), {@code bytes} (of a value).
 */
final class FillLogJob implements Job {
  private final FsmUpcall store;
  private final long changes;

  FillLogJob(Fields options) {
    store = Upcall.open(Path.of(options.text("volume")), UpcallConfig.DEFAULT).fsm();
    int tables = (int) options.number("tables");
    changes = (tables == 0 ? files(options) : entries(options, tables)).fill();
  }

  private LogFiller files(Fields options) {
    LogFiller.Kind kind = LogFiller.Kind.valueOf(options.text("kind").toUpperCase(Locale.ROOT));
    return new LogFiller(store, kind, options.number("files"), UpcallConfig.DEFAULT.memoryBytes());
  }

  private LogFiller entries(Fields options, int tables) {
    ManyEntries entries =
        new ManyEntries(options.number("files"), tables, (int) options.number("bytes"));
    return new LogFiller(store, entries::overwrite, UpcallConfig.DEFAULT.memoryBytes());
  }

  @Override
  public String greeting() {
    return "changes=" + changes;
  }

  @Override
  public void close() {
    store.close();
  }
}
