package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.Launched;
import dev.upcall.bench.entrant.Server;
import dev.upcall.bench.entrant.StartEntrant;
import dev.upcall.bench.entrant.Wrk;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a server answers in its first ten seconds under full load, started by the launcher with the
 * cache that Java made of a rehearsal and without: against what one answers that is warm and never
 * had a cache. A warm one that has the cache runs along, so that nobody pays for a fast start for
 * ever; and the same server with no store behind and no cache, just started and warm: as much as
 * that loses at its start, Java and the transport lose.
 */
public final class WarmupExperiment implements Experiment {
  private static final int CONNECTIONS = 64;
  private static final int SIZE_BYTES = 8 << 10;
  private static final double AIM = 0.85;
  private static final long IMPORT_SECONDS = 300;

  @Override
  public String name() {
    return "warmup";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException, InterruptedException {
    Path folder = Files.createDirectory(lab.scratch().resolve("8k"));
    List<String> paths =
        HttpExperiment.smallFiles(folder, (int) lab.settings().either(10, 200), SIZE_BYTES);
    Path store = imported(lab, folder);
    Wrk load = Wrk.counted(lab, CONNECTIONS, paths);
    Server.Opening cached = new Launched(store, true)::open;
    Server.Opening plain = new Launched(store, false)::open;
    Server.Opening storeless = Server.ceiling(folder).opening();
    return List.of(
        new Comparison(
            name(),
            "GET of 8 KiB, first %d s, %d connections, one core"
                .formatted(StartEntrant.seconds(lab), CONNECTIONS),
            Figure.perSecond("requests").aimingAt(AIM),
            List.of(
                StartEntrant.cold("upcall, just started", Role.OURS, cached, load),
                StartEntrant.cold("upcall, just started, no cache", Role.OURS, plain, load),
                StartEntrant.warm("upcall, warm", Role.OURS, cached, load),
                StartEntrant.warm("upcall, warm, no cache", Role.PEER, plain, load),
                StartEntrant.cold("no store behind, just started", Role.CEILING, storeless, load),
                StartEntrant.warm("no store behind, warm", Role.CEILING, storeless, load))));
  }

  /** A store with what is in a folder: a server that also imports would be warm from that. */
  private static Path imported(Lab lab, Path folder) throws IOException, InterruptedException {
    Path store = lab.scratch().resolve("site.upcall");
    List<String> command =
        lab.java(
            "dev.upcall.cli.Main",
            List.of("import", folder.toString(), "--store=" + store, "--volume-size=256m"));
    lab.run("upcall import", command, IMPORT_SECONDS);
    return store;
  }
}
