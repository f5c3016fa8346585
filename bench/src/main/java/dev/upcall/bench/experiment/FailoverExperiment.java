package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.FailoverEntrant;
import dev.upcall.bench.entrant.HandoverEntrant;
import dev.upcall.bench.entrant.Inputs;
import dev.upcall.bench.entrant.RecoveryEntrant;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * How long nobody answers when a server is killed and another one stands by: from SIGKILL to the
 * first answer, of a store of a million files (10 GB) whose log is as full as it gets before a
 * checkpoint begins; and how long who asks waits when the first one hands over instead. The stores
 * are those of {@link RecoveryExperiment}.
 */
public final class FailoverExperiment implements Experiment {
  private static final int FILE_BYTES = 10_000;
  private static final long FILES = 1_000_000;
  private static final long QUICK_FILES = 2_000;

  @Override
  public String name() {
    return "failover";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    long files = lab.settings().either(QUICK_FILES, FILES);
    RecoveryEntrant.Store store =
        new RecoveryEntrant.Store(
            lab.input("recovery-%d.upcall".formatted(files)),
            files,
            FILE_BYTES,
            Inputs.capBytes(lab));
    String name = String.format(Locale.ROOT, "upcall, %,d files", files);
    return List.of(
        new Comparison(
            name(),
            "from SIGKILL to the standby's first answer, the log full of new files of 4 KiB",
            Figure.millis("fail-overs"),
            List.of(
                new Entrant(name, Role.OURS, started -> FailoverEntrant.start(started, store)))),
        new Comparison(
            name(),
            "the longest wait of a request while a server hands over to its standby",
            Figure.millis("handovers"),
            List.of(
                new Entrant(name, Role.OURS, started -> HandoverEntrant.start(started, store)))));
  }
}
