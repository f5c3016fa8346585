package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.FioEntrant;
import dev.upcall.bench.entrant.Footprint;
import dev.upcall.bench.entrant.Inputs;
import dev.upcall.bench.entrant.Server;
import dev.upcall.bench.entrant.ServerEntrant;
import dev.upcall.bench.entrant.WorkerEntrant;
import dev.upcall.bench.entrant.Wrk;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.job.Blocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Durable creation of files of 4 KiB through the file manager, each a commit of its own, against
 * the plain file system, against other embedded stores (see {@link
 * dev.upcall.bench.peer.DurableStore}) with as many threads as we have outstanding, and against
 * what a durable write of 4 KiB in place costs; and the same as PUTs over HTTP.
 */
public final class DurableExperiment implements Experiment {
  private static final long MIB = 1L << 20;
  private static final int UNIT_BYTES = Blocks.BYTES;

  /** Each PUT makes a new file, in a directory of its run. */
  private static final String PUTS =
      """
      local body, prefix, count = string.rep("0123456789abcdef", 256), "", 0
      function init(args) prefix = "/run" .. os.time() .. "/f" end
      function request()
        count = count + 1
        return wrk.format("PUT", prefix .. count, nil, body)
      end
      """;

  @Override
  public String name() {
    return "durable";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    Path plain = lab.scratch().resolve("durable.bin");
    long bytes = lab.settings().either(4 * MIB, 256 * MIB);
    Inputs.plainFile(plain, bytes);
    List<Comparison> comparisons = new ArrayList<>();
    for (int depth : new int[] {1, 8, 64}) {
      comparisons.add(
          new Comparison(
                  name(),
                  "create of 4 KiB, durable, %d outstanding".formatted(depth),
                  Figure.perSecond("creates"),
                  List.of(
                      store(lab, "RING", depth),
                      store(lab, "CHANNEL", depth),
                      fileSystem(lab.scratch().resolve("plain-" + depth), depth),
                      peer(lab, "RocksDB, sync", "rocksdb", depth),
                      peer(lab, "H2 MVStore, commit and sync", "mvstore", depth),
                      peer(lab, "SQLite, WAL, FULL", "sqlite", depth),
                      peer(lab, "TuplDB, SYNC", "tupl", depth),
                      fio(plain, bytes, depth)))
              .writing(UNIT_BYTES));
    }
    for (int depth : new int[] {1, 64}) {
      comparisons.add(overHttp(lab, depth));
    }
    return comparisons;
  }

  private Comparison overHttp(Lab lab, int depth) throws IOException {
    Wrk load = Wrk.scripted(lab, depth, PUTS);
    Path ours = Files.createDirectory(lab.scratch().resolve("put-upcall-" + depth));
    Path theirs = Files.createDirectory(lab.scratch().resolve("put-nginx-" + depth));
    return new Comparison(
        name(),
        "PUT of 4 KiB over HTTP, durable, %d connections".formatted(depth),
        Figure.perSecond("puts"),
        List.of(
            ServerEntrant.of(Server.upcall(ours, List.of("--writable")), load, ours, List.of()),
            fileSystem(lab.scratch().resolve("plain-put-" + depth), depth),
            ServerEntrant.of(Server.nginxDav(theirs), load, theirs, List.of())));
  }

  private static Entrant fileSystem(Path directory, int depth) {
    return WorkerEntrant.keeping(
        "file system, %d thread%s".formatted(depth, depth == 1 ? "" : "s"),
        Role.PEER,
        "plain-create",
        Map.of("directory", directory, "depth", depth),
        new Footprint(directory, UNIT_BYTES));
  }

  private static Entrant peer(Lab lab, String name, String store, int depth) {
    Path directory = lab.scratch().resolve(store + "-" + depth);
    return WorkerEntrant.keeping(
        name,
        Role.PEER,
        "peer-create",
        Map.of("store", store, "directory", directory, "depth", depth),
        new Footprint(directory, UNIT_BYTES));
  }

  private static Entrant store(Lab lab, String disk, int depth) {
    String lower = disk.toLowerCase(Locale.ROOT);
    Path volume = lab.scratch().resolve("durable-%s-%d.upcall".formatted(lower, depth));
    return WorkerEntrant.keeping(
        "upcall, " + lower,
        Role.OURS,
        "create",
        Inputs.creation(lab, volume, disk, new Inputs.Creation(depth, 1, UNIT_BYTES)),
        new Footprint(volume, UNIT_BYTES));
  }

  private static Entrant fio(Path file, long bytes, int depth) {
    return FioEntrant.of(
        "fio, O_DSYNC overwrite", FioEntrant.durableOverwrites(file, bytes, depth));
  }
}
