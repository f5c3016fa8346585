package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.IdleEntrant;
import dev.upcall.bench.entrant.Server;
import dev.upcall.bench.entrant.ServerEntrant;
import dev.upcall.bench.entrant.Wrk;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What idle connections cost: throughput of 64 active ones beside 10,000 that do nothing, against
 * the same alone, and the memory of each.
 */
public final class IdleExperiment implements Experiment {
  private static final int ACTIVE = 64;
  private static final int FILE_BYTES = 8 << 10;

  @Override
  public String name() {
    return "idle";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    Path folder = Files.createDirectory(lab.scratch().resolve("idle"));
    List<String> paths = HttpExperiment.smallFiles(folder, 10, FILE_BYTES);
    Site site = new Site(folder, paths, Wrk.gets(lab, ACTIVE, paths));
    int idle = (int) lab.settings().either(100, 10_000);
    return List.of(
        compare(Server.upcall(folder, List.of()), site, idle),
        compare(Server.upcall(folder, "threads"), site, idle),
        compare(Server.upcall(folder, "virtual"), site, idle),
        compare(Server.nginx(folder), site, idle));
  }

  private record Site(Path folder, List<String> paths, Wrk load) {}

  private Comparison compare(Server server, Site site, int idle) {
    Entrant alone =
        ServerEntrant.of(
            new Server("%s, %d alone".formatted(server.name(), ACTIVE), Role.PEER, server),
            site.load(),
            site.folder(),
            site.paths());
    Entrant beside =
        new Entrant(
            "%s, %d and %,d idle".formatted(server.name(), ACTIVE, idle),
            Role.OURS,
            lab ->
                new IdleEntrant(
                    lab,
                    ServerEntrant.start(lab, server, site.load(), site.folder(), site.paths()),
                    site.paths().getFirst(),
                    idle));
    return new Comparison(
        name(),
        "%s: GET of 8 KiB, %d connections, beside %,d idle ones"
            .formatted(server.name(), ACTIVE, idle),
        Figure.perSecond("requests"),
        List.of(beside, alone));
  }
}
