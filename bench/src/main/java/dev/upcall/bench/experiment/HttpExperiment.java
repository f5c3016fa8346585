package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.Server;
import dev.upcall.bench.entrant.ServerEntrant;
import dev.upcall.bench.entrant.Wrk;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.specweb.FileSet;
import dev.upcall.specweb.FileSetFolder;
import dev.upcall.specweb.draw.Draws;
import dev.upcall.specweb.draw.FileWeights;
import dev.upcall.specweb.draw.Mix;
import dev.upcall.specweb.draw.Popularity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Warm GETs from one core, against nginx: files of 8 KiB, 50 KB and 1 MiB over connections that are
 * kept, the mix of sizes of SPECweb96, and a connection for each request; our own servers with a
 * thread for each connection run along with two of them. The ceiling is our server with no store
 * behind.
 */
public final class HttpExperiment implements Experiment {
  private static final int CONNECTIONS = 64;
  static final int FEW_CONNECTIONS = 16;
  static final int SMALL_BYTES = 8 << 10;
  private static final int MIDDLE_BYTES = 50_000;
  static final int LARGE_BYTES = 1 << 20;
  private static final double SMALL_AIM = 1.3;
  private static final double MIX_AIM = 1.2;
  private static final double MIDDLE_AIM = 1.1;
  private static final double LARGE_AIM = 2;
  private static final double SINGLE_AIM = 1;

  @Override
  public String name() {
    return "http";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    int files = (int) lab.settings().either(10, 200);
    Site small = Site.of(lab, "http-8k", files, SMALL_BYTES);
    Site middle = Site.of(lab, "http-50k", files, MIDDLE_BYTES);
    Site large = Site.of(lab, "http-1m", (int) lab.settings().either(2, 20), LARGE_BYTES);
    Site mixed = mixed(lab);
    return List.of(
        compare(
            "GET of 8 KiB, warm, %d connections, one core".formatted(CONNECTIONS),
            SMALL_AIM,
            withThreads(small, Wrk.gets(lab, CONNECTIONS, small.paths()))),
        compare(
            "GET of SPECweb96's mix of sizes, warm, %d connections, one core"
                .formatted(CONNECTIONS),
            MIX_AIM,
            withThreads(mixed, Wrk.gets(lab, CONNECTIONS, mixed.paths()))),
        compare(
            "GET of 50 KB, warm, %d connections, one core".formatted(CONNECTIONS),
            MIDDLE_AIM,
            machines(middle, Wrk.gets(lab, CONNECTIONS, middle.paths()))),
        compare(
            "GET of 1 MiB, warm, %d connections, one core".formatted(FEW_CONNECTIONS),
            LARGE_AIM,
            machines(large, Wrk.gets(lab, FEW_CONNECTIONS, large.paths()))),
        compare(
            "GET of 8 KiB, warm, a connection per request, %d at once, one core"
                .formatted(CONNECTIONS),
            SINGLE_AIM,
            machines(small, Wrk.single(lab, CONNECTIONS, small.paths()))));
  }

  /**
   * Files that are served.
   *
   * @param paths in the order in which they are asked for
   */
  record Site(Path folder, List<String> paths) {
    /** Files of one size. */
    static Site of(Lab lab, String name, int count, int bytes) throws IOException {
      Path folder = Files.createDirectory(lab.scratch().resolve(name));
      return new Site(folder, smallFiles(folder, count, bytes));
    }

    /** A server of them under a load. */
    Entrant by(Server server, Wrk load) {
      return ServerEntrant.of(server, load, folder, paths);
    }
  }

  private static Site mixed(Lab lab) throws IOException {
    Path folder = Files.createDirectory(lab.scratch().resolve("specweb"));
    FileSet set = new FileSet((int) lab.settings().either(1, 40));
    new FileSetFolder(set, folder).write(_ -> {});
    Draws mix = new Draws(new Mix(set, FileWeights.POISSON5, Popularity.UNIFORM), 96, 0);
    return new Site(
        folder,
        Stream.generate(() -> "/" + mix.next().path())
            .limit(lab.settings().either(200, 20_000))
            .toList());
  }

  private Comparison compare(String title, double aim, List<Entrant> entrants) {
    return new Comparison(name(), title, Figure.perCpuSecond("requests").aimingAt(aim), entrants);
  }

  /** Our server, nginx, and the ceiling. */
  static List<Entrant> machines(Site site, Wrk load) {
    return List.of(
        site.by(Server.upcall(site.folder(), List.of()), load),
        site.by(Server.nginx(site.folder()), load),
        site.by(Server.ceiling(site.folder()), load));
  }

  private static List<Entrant> withThreads(Site site, Wrk load) {
    List<Entrant> all = new ArrayList<>(machines(site, load));
    all.add(site.by(Server.upcall(site.folder(), "threads"), load));
    all.add(site.by(Server.upcall(site.folder(), "virtual"), load));
    return all;
  }

  /** Writes files of one size; their paths. */
  static List<String> smallFiles(Path folder, int count, int bytes) throws IOException {
    Random random = new Random(8);
    List<String> paths = IntStream.range(0, count).mapToObj(i -> "/f" + i + ".bin").toList();
    byte[] content = new byte[bytes];
    for (String path : paths) {
      random.nextBytes(content);
      Files.write(folder.resolve(path.substring(1)), content);
    }
    return paths;
  }
}
