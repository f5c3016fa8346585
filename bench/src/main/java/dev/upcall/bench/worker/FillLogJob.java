package dev.upcall.bench.worker;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.workload.LogFiller;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Fills the log of a store and says, when it is ready, how many {@code changes} that took; then it
 * waits to be killed. Options: {@code volume}, {@code files}, {@code kind} ({@link
 * LogFiller.Kind}).
 */
final class FillLogJob implements Job {
  private final FsmUpcall store;
  private final long changes;

  FillLogJob(Fields options) {
    store = Upcall.open(Path.of(options.text("volume")), UpcallConfig.DEFAULT).fsm();
    LogFiller.Kind kind = LogFiller.Kind.valueOf(options.text("kind").toUpperCase(Locale.ROOT));
    changes =
        new LogFiller(store, kind, options.number("files"), UpcallConfig.DEFAULT.memoryBytes())
            .fill();
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
