package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.FioEntrant;
import dev.upcall.bench.entrant.Inputs;
import dev.upcall.bench.entrant.WorkerEntrant;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One large file written and read from begin to end through the blocking facade, against fio with
 * direct I/O of 1 MiB. Writing is compared where both write over what was written before, and where
 * both write into room that the file system has just given, which costs it more.
 */
public final class SequentialExperiment implements Experiment {
  private static final long MIB = 1L << 20;
  private static final String DEPTH = "fio, direct 1 MiB, 4 deep";

  @Override
  public String name() {
    return "sequential";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    long bytes = lab.settings().either(16 * MIB, 1024 * MIB);
    long memory = lab.settings().either(16 * MIB, 64 * MIB);
    Path plain = lab.scratch().resolve("sequential.bin");
    Path volume = lab.scratch().resolve("sequential-read.upcall");
    Inputs.plainFile(plain, bytes);
    Inputs.volume(lab, volume, bytes);
    Entrant reading =
        WorkerEntrant.of(
            "upcall",
            Role.OURS,
            "sequential-read",
            Map.of("volume", volume, "file", Inputs.FILE, "memory", memory));
    Path made = lab.scratch().resolve("sequential-new.bin");
    return List.of(
        writes(
            "write of %d MiB over room written before, durable at its end".formatted(bytes / MIB),
            writing(lab, bytes, "replaced", false),
            fio(DEPTH + ", in place", plain, bytes, "--rw=write", "--end_fsync=1")),
        writes(
            "write of %d MiB into new room, durable at its end".formatted(bytes / MIB),
            writing(lab, bytes, "anew", true),
            fio(
                DEPTH + ", new file",
                made,
                bytes,
                "--rw=write",
                "--end_fsync=1",
                "--fallocate=native",
                "--unlink=1")),
        new Comparison(
            name(),
            "read of %d MiB with %d MiB of memory".formatted(bytes / MIB, memory / MIB),
            Figure.perSecond("MiB"),
            List.of(reading, fio(DEPTH, plain, bytes, "--rw=read"))));
  }

  private Comparison writes(String title, Entrant ours, Entrant fio) {
    return new Comparison(name(), title, Figure.perSecond("MiB"), List.of(ours, fio));
  }

  private static Entrant writing(Lab lab, long bytes, String name, boolean anew) {
    return WorkerEntrant.of(
        "upcall",
        Role.OURS,
        "sequential-write",
        Map.of(
            "volume",
            lab.scratch().resolve("sequential-" + name + ".upcall"),
            "bytes",
            bytes,
            "cap",
            lab.settings().either(128 * MIB, 0),
            "anew",
            anew ? 1 : 0));
  }

  private static Entrant fio(String name, Path file, long bytes, String... more) {
    List<String> job =
        new ArrayList<>(
            List.of(
                "--filename=" + file,
                "--size=" + bytes,
                "--bs=1m",
                "--direct=1",
                "--ioengine=io_uring",
                "--iodepth=4"));
    job.addAll(List.of(more));
    return FioEntrant.whole(name, job);
  }
}
