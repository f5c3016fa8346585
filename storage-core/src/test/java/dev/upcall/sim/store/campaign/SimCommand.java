package dev.upcall.sim.store.campaign;

import com.sun.management.OperatingSystemMXBean;
import dev.upcall.sim.store.plan.Canary;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code upcall-sim} command: many simulated lifetimes, or one again. */
@Command(
    name = "upcall-sim",
    description = {
      "Run simulated lifetimes of the store: open, work, crash, recover, check. Each comes from one seed",
      "and is the same every time. Without options: fresh seeds for a minute.",
    },
    footer = {
      "",
      "Exit codes: 0 every lifetime held, 1 one failed (with --canary: nobody noticed), 2 wrong usage.",
      "With --replay: 0 it is the same, 1 something differs, 2 it cannot be replayed.",
    },
    sortOptions = false)
public final class SimCommand implements Callable<Integer> {
  private static final long DEFAULT_SECONDS = 60;
  private static final long PROGRESS_NANOS = 5_000_000_000L;
  private static final long STOP_PATIENCE_SECONDS = 60;

  @Option(names = "--seeds", paramLabel = "N", description = "Run N lifetimes.")
  Long seeds;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description =
          "Run this seed again; with --seeds or --seconds, those that follow it too. Otherwise the clock says where to begin.")
  Long seed;

  @Option(names = "--seconds", paramLabel = "N", description = "Run for N seconds.")
  Long seconds;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Run so many lifetimes at once (default: one per core).")
  Integer threads;

  @Option(names = "--fail-fast", description = "Stop at the first failure.")
  boolean failFast;

  @Option(
      names = "--canary",
      paramLabel = "NAME",
      description =
          "Break the store on purpose, and stop when a lifetime has noticed: ${COMPLETION-CANDIDATES}.")
  Canary canary;

  @Option(
      names = "--record",
      paramLabel = "DIR",
      description =
          "Record into DIR/seed-S: with --seed S alone that lifetime, else the first that fail, at most"
              + " eight (default: into upcall-sim-recordings; with --canary none).")
  Path record;

  @Option(
      names = "--replay",
      paramLabel = "DIR",
      description =
          "Run the lifetime of a recording again and name the first transition that differs; with"
              + " --canary, of the store that this breaks. The same as upcall trace replay DIR.")
  Path replay;

  @Option(names = "--json", description = "Write the report as one JSON document.")
  boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Spec CommandSpec spec;

  private volatile @Nullable SimCampaign running;
  private final CountDownLatch over = new CountDownLatch(1);

  private SimCommand() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    SimCommand command = new SimCommand();
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("stop").unstarted(command::stopAndWait));
    int exitCode = commandLine(command).execute(args);
    command.over.countDown();
    if (System.out.checkError()) {
      System.err.println("upcall sim: cannot write to standard output");
      exitCode = exitCode == 0 ? 1 : exitCode;
    }
    System.exit(exitCode);
  }

  /** The command line, which a test can give its own writers. */
  static CommandLine commandLine() {
    return commandLine(new SimCommand());
  }

  private static CommandLine commandLine(SimCommand command) {
    return new CommandLine(command).setUsageHelpAutoWidth(true);
  }

  @Override
  public Integer call() throws InterruptedException, IOException {
    return replay == null ? run(canary == null ? Canary.SOUND : canary) : replay(replay);
  }

  private int replay(Path folder) throws IOException {
    require(
        seed == null && seeds == null && seconds == null && record == null && !json,
        "--replay takes --canary and nothing else");
    try {
      SimRecording recording = SimRecording.read(folder);
      SimReplay.Result result =
          SimReplay.run(recording, canary == null ? recording.head().canary() : canary);
      result.print(spec.commandLine().getOut());
      spec.commandLine().getOut().flush();
      return result.isSame() ? 0 : 1;
    } catch (SimRecording.Refused refused) {
      spec.commandLine().getErr().println("upcall: " + refused.getMessage());
      return spec.exitCodeOnInvalidInput();
    }
  }

  private int run(Canary broken) throws InterruptedException, IOException {
    SimCampaign campaign = new SimCampaign(extent(broken), broken, recordings(broken));
    running = campaign;
    campaign.start();
    while (!campaign.awaitEnd(PROGRESS_NANOS)) {
      spec.commandLine().getErr().println(report(campaign).progress());
    }
    SimReport report = report(campaign);
    if (json) {
      report.printJson(spec.commandLine().getOut());
    } else {
      report.print(spec.commandLine().getOut());
    }
    spec.commandLine().getOut().flush();
    boolean failed = campaign.tally().failures() > 0;
    return failed == (broken == Canary.SOUND) ? 1 : 0;
  }

  private static SimReport report(SimCampaign campaign) {
    OperatingSystemMXBean process =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return new SimReport(campaign, process.getProcessCpuTime());
  }

  /** Ctrl-C: what has begun is finished and reported before the process ends. */
  private void stopAndWait() {
    SimCampaign campaign = running;
    if (campaign != null) {
      campaign.stop();
    }
    try {
      over.await(STOP_PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
    }
  }

  private SimRecordings recordings(Canary broken) {
    if (record == null) {
      return new SimRecordings(
          Path.of("upcall-sim-recordings"),
          broken == Canary.SOUND ? SimRecordings.Which.FAILURES : SimRecordings.Which.NONE);
    }
    return new SimRecordings(
        record, isOne() ? SimRecordings.Which.ALL : SimRecordings.Which.FAILURES);
  }

  private boolean isOne() {
    return seed != null && seeds == null && seconds == null;
  }

  private SimCampaign.Extent extent(Canary broken) {
    require(seeds == null || seeds > 0, "--seeds must be at least 1, not " + seeds);
    require(seconds == null || seconds > 0, "--seconds must be at least 1, not " + seconds);
    require(threads == null || threads > 0, "--threads must be at least 1, not " + threads);
    boolean unbounded = seed == null && seeds == null && seconds == null;
    long most = isOne() ? 1 : seeds == null ? Long.MAX_VALUE : seeds;
    long limitSeconds = seconds != null ? seconds : unbounded ? DEFAULT_SECONDS : Long.MAX_VALUE;
    int atOnce = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
    return new SimCampaign.Extent(
        seed == null ? System.currentTimeMillis() * 1000 : seed,
        most,
        TimeUnit.SECONDS.toNanos(limitSeconds),
        (int) Math.min(most, atOnce),
        failFast || broken != Canary.SOUND);
  }

  private void require(boolean fact, String otherwise) {
    if (!fact) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }
}
