package dev.upcall.bench.experiment;

import dev.upcall.bench.harness.Comparison;
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
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Warm GETs over keep-alive connections from one core, against nginx: files of 8 KiB, and the mix
 * of sizes of SPECweb96; our own servers with a thread for each connection run along. The ceiling
 * is our server with no store behind.
 */
public final class HttpExperiment implements Experiment {
  private static final int CONNECTIONS = 64;
  private static final int SMALL_BYTES = 8 << 10;
  private static final double SMALL_AIM = 0.85;
  private static final double MIX_AIM = 0.88;

  @Override
  public String name() {
    return "http";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    Path small = Files.createDirectory(lab.scratch().resolve("8k"));
    List<String> smallPaths = smallFiles(small, (int) lab.settings().either(10, 200), SMALL_BYTES);
    Path mixed = Files.createDirectory(lab.scratch().resolve("specweb"));
    FileSet set = new FileSet((int) lab.settings().either(1, 40));
    new FileSetFolder(set, mixed).write(_ -> {});
    Draws mix = new Draws(new Mix(set, FileWeights.POISSON5, Popularity.UNIFORM), 96, 0);
    List<String> draws =
        Stream.generate(() -> "/" + mix.next().path())
            .limit(lab.settings().either(200, 20_000))
            .toList();
    return List.of(
        compare(lab, "GET of 8 KiB", SMALL_AIM, small, smallPaths),
        compare(lab, "GET of SPECweb96's mix of sizes", MIX_AIM, mixed, draws));
  }

  private Comparison compare(Lab lab, String what, double aim, Path folder, List<String> paths)
      throws IOException {
    Wrk load = Wrk.gets(lab, CONNECTIONS, paths);
    return new Comparison(
        name(),
        what + ", warm, %d connections, one core".formatted(CONNECTIONS),
        Figure.perCpuSecond("requests").aimingAt(aim),
        List.of(
            ServerEntrant.of(Server.upcall(folder, List.of()), load, folder, paths),
            ServerEntrant.of(Server.nginx(folder), load, folder, paths),
            ServerEntrant.of(Server.upcall(folder, "threads"), load, folder, paths),
            ServerEntrant.of(Server.upcall(folder, "virtual"), load, folder, paths),
            ServerEntrant.of(Server.ceiling(folder), load, folder, paths)));
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
