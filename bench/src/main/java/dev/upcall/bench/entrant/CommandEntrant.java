package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.host.ProcessCpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** An entrant that is a command from its start to its end, each time with a new folder. */
public final class CommandEntrant implements Running {
  private static final long LIMIT_SECONDS = 600;

  private final Lab lab;
  private final Work work;
  private final Function<Path, List<String>> command;
  private double bestSeconds = Double.POSITIVE_INFINITY;

  /**
   * What a command does.
   *
   * @param files how many files it takes from here to there
   * @param bytes their bytes
   */
  public record Work(long files, long bytes) {}

  private CommandEntrant(Lab lab, Work work, Function<Path, List<String>> command) {
    this.lab = lab;
    this.work = work;
    this.command = command;
  }

  /** An entrant; the command is made for an empty folder of its own. */
  public static Entrant of(
      String name, Role role, Work work, Function<Path, List<String>> command) {
    return new Entrant(name, role, lab -> new CommandEntrant(lab, work, command));
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(lab.scratch(), "target-");
    double cpuBefore = ProcessCpu.endedChildrenSeconds();
    long begin = System.nanoTime();
    lab.run("command", command.apply(folder), LIMIT_SECONDS);
    double seconds = (System.nanoTime() - begin) / 1e9;
    double cpu = ProcessCpu.endedChildrenSeconds() - cpuBefore;
    Lab.remove(folder);
    bestSeconds = Math.min(bestSeconds, seconds);
    return Sample.of((double) work.files(), seconds, cpu);
  }

  @Override
  public String note() {
    return String.format(Locale.ROOT, "at best %.1f MB/s", work.bytes() / 1e6 / bestSeconds);
  }

  @Override
  public void close() {
    // Each sample's process has ended by itself.
  }
}
