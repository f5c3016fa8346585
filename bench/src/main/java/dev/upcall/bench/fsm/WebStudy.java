package dev.upcall.bench.fsm;

import dev.upcall.bench.harness.Cores;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.report.FileSetVolume;
import dev.upcall.bench.report.Section;
import dev.upcall.bench.report.Size;
import dev.upcall.bench.report.Study;
import dev.upcall.bench.report.Sweep;
import dev.upcall.bench.report.SweepRun;
import dev.upcall.bench.report.Workbench;
import dev.upcall.bench.worker.Worker;
import dev.upcall.bench.worker.WorkerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The report's figures 8 to 11: the web server of each engine under a closed loop of clients. */
final class WebStudy implements Study {
  private static final double WARM_PART = 0.3;

  /** What a sample takes besides: the load's threads begin, drain and end. */
  private static final double ORDER_SECONDS = 0.3;

  private static final long READY_SECONDS = 60;
  private static final int ADMISSION_SIDES = 2;
  private static final String TITLE = "3. The web server, figures 8 to 11";

  /** The sides by the names of their engines. */
  private static final Map<String, String> SIDES = sides();

  private static Map<String, String> sides() {
    Map<String, String> sides = new LinkedHashMap<>();
    sides.put("FSM", WebClaims.FSM);
    sides.put("THREADS", WebClaims.THREADS);
    sides.put("VIRTUAL", WebClaims.VIRTUAL);
    return java.util.Collections.unmodifiableMap(sides);
  }

  /**
   * One sweep.
   *
   * @param id for programs
   * @param title for people
   */
  private record Setting(String id, String title, WebClients clients, List<Integer> loads) {
    SweepRun.Course course(Size size) {
      double each = size.web().seconds() * (1 + WARM_PART);
      return new SweepRun.Course(
          id,
          title,
          new Sweep.Words("clients", "requests"),
          loads,
          load -> each * WebServerSide.stretch(load) + ORDER_SECONDS);
    }
  }

  private static List<Setting> settings(Size size) {
    return List.of(
        new Setting(
            WebClaims.MANY,
            "Web server, a connection for each request, client of many threads",
            WebClients.MANY_THREADS,
            size.web().clients()),
        new Setting(
            WebClaims.ONE,
            "Web server, a connection for each request, client of one thread",
            WebClients.ONE_THREAD,
            size.web().clientsOfOneThread()),
        new Setting(
            WebClaims.KEPT,
            "Web server, kept connections",
            WebClients.KEPT,
            size.web().keptClients()));
  }

  private static Setting admission(Size size) {
    return new Setting(
        WebClaims.ADMISSION,
        "Web server of state machines with and without a limit of requests inside",
        WebClients.MANY_THREADS,
        size.web().admittedClients());
  }

  @Override
  public String title() {
    return TITLE;
  }

  @Override
  public double seconds(Size size) {
    Size.Time time = size.time();
    double warmSeconds = Workbench.startSeconds(size) + time.warmMillis() / 1e3;
    double warmAgainSeconds = time.warmAgainMillis() / 1e3;
    double samples =
        time.repetitions() * admission(size).course(size).seconds(ADMISSION_SIDES)
            + time.repetitions()
                * settings(size).stream()
                    .mapToDouble(setting -> setting.course(size).seconds(SIDES.size()))
                    .sum();
    return samples
        + SIDES.size() * (warmSeconds + (settings(size).size() - 1) * warmAgainSeconds)
        + warmSeconds
        + warmAgainSeconds;
  }

  @Override
  public Section run(Workbench bench) throws IOException, InterruptedException {
    Lab lab = bench.lab();
    FileSetVolume volume = bench.volume();
    SweepRun run = new SweepRun(bench);
    List<Sweep> sweeps = new ArrayList<>();
    List<WebServerSide> sides = new ArrayList<>();
    List<String> command =
        lab.cores()
            .pin(
                Cores.LOAD,
                Worker.command(lab, "web-load", Map.of("directories", volume.set().directories())));
    try (WorkerProcess load = WorkerProcess.start(lab, "web clients", command, READY_SECONDS)) {
      for (Map.Entry<String, String> side : SIDES.entrySet()) {
        sides.add(start(bench, load, side.getValue(), side.getKey(), 0));
      }
      for (Setting setting : settings(bench.size())) {
        sweeps.add(sweep(bench, run, setting, sides));
      }
      for (WebServerSide side : List.copyOf(sides)) {
        if (!side.name().equals(WebClaims.FSM)) {
          side.close();
          sides.remove(side);
        }
      }
      sides.add(start(bench, load, WebClaims.ADMITTED, "FSM", WebClaims.MOST_INSIDE));
      sweeps.add(sweep(bench, run, admission(bench.size()), sides));
    } finally {
      sides.forEach(WebServerSide::close);
    }
    List<String> notes = new ArrayList<>(run.notes());
    notes.add(FileManagerClaims.little(sweeps));
    notes.addAll(WebClaims.notes(sweeps));
    return new Section(
        TITLE, how(volume, bench.size()), WebClaims.of(sweeps), sweeps, List.of(), notes);
  }

  private static WebServerSide start(
      Workbench bench, WorkerProcess load, String name, String engine, int inside)
      throws IOException, InterruptedException {
    bench.pace().step(Workbench.startSeconds(bench.size()), "starting the web server of " + name);
    FileSetVolume volume = bench.volume();
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("volume", volume.copy("web-" + engine + "-" + inside));
    options.put("directories", volume.set().directories());
    options.put("memory", volume.warmMemoryBytes());
    options.put("engine", engine);
    options.put("inside", inside);
    return WebServerSide.start(name, bench.lab(), load, options);
  }

  private static Sweep sweep(
      Workbench bench, SweepRun run, Setting setting, List<WebServerSide> sides)
      throws IOException, InterruptedException {
    warm(bench, run, setting, sides);
    return run.run(setting.course(bench.size()), List.copyOf(sides));
  }

  /** Warms all sides up for what comes; who breaks is left out. */
  private static void warm(
      Workbench bench, SweepRun run, Setting setting, List<WebServerSide> sides)
      throws IOException, InterruptedException {
    Size.Time time = bench.size().time();
    int sampleMillis = (int) Math.round(bench.size().web().seconds() * 1e3);
    for (WebServerSide side : sides) {
      if (run.hasBroken(side)) {
        continue;
      }
      int mostMillis = side.isWarm() ? time.warmAgainMillis() : time.warmMillis();
      bench.pace().step(mostMillis / 1e3, setting.title() + "; warming up " + side.name());
      try {
        side.warm(setting.clients(), mostMillis);
        side.use(setting.clients(), sampleMillis, WARM_PART);
      } catch (IOException failed) {
        run.leaveOut(setting.title(), side, failed);
      }
    }
  }

  private static String how(FileSetVolume volume, Size size) {
    return ("The three servers of this project over the same files (%d MiB, all in the store's"
            + " memory of %d MiB): sessions as state machines on the store's thread, and a platform"
            + " or virtual thread for each connection. Each is a JVM, confined to one core once it is"
            + " warm; the load, a closed loop of specweb's clients without think time in SPECweb96's mix, is"
            + " a JVM on the other. The report's clients opened a connection for each request"
            + " (HTTP/1.0); kept connections show what thousands of connections cost that are all"
            + " active. Without a limit requests are inside the store as they come; with one (upcall"
            + " serve --max-inside) at most %d are, and the others wait in line. %d samples of %.1f s each, after %.1f s of the same load, taken in turn;"
            + " figures are medians. CPU is the server's, resident memory its whole process's right"
            + " after the sample; lock wait share is the time that threads waited for locks of the"
            + " store as a part of all response times; batch is how many upcalls a turn of the"
            + " store's thread ran.")
        .formatted(
            volume.set().totalBytes() >> 20,
            volume.warmMemoryBytes() >> 20,
            WebClaims.MOST_INSIDE,
            size.time().repetitions(),
            size.web().seconds(),
            size.web().seconds() * WARM_PART);
  }
}
