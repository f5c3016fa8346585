package dev.upcall.bench.experiment;

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
 * direct I/O of 1 MiB: over a file that is there already, and into room that was allocated and
 * never written, which costs the file system more. Ours replaces a file, and meets both.
 */
public final class SequentialExperiment implements Experiment {
  private static final long MIB = 1L << 20;

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
    Entrant writing =
        WorkerEntrant.of(
            "upcall",
            Role.OURS,
            "sequential-write",
            Map.of(
                "volume",
                lab.scratch().resolve("sequential-write.upcall"),
                "bytes",
                bytes,
                "cap",
                lab.settings().either(128 * MIB, 0)));
    Entrant reading =
        WorkerEntrant.of(
            "upcall",
            Role.OURS,
            "sequential-read",
            Map.of("volume", volume, "file", Inputs.FILE, "memory", memory));
    return List.of(
        new Comparison(
            name(),
            "write of %d MiB, durable at its end (fio: in place, one fsync)".formatted(bytes / MIB),
            Figure.perSecond("MiB"),
            List.of(
                writing,
                fio("fio, direct 1 MiB, 4 deep", plain, bytes, "--rw=write", "--end_fsync=1"),
                fio(
                    "fio, the same into a new file",
                    lab.scratch().resolve("sequential-new.bin"),
                    bytes,
                    "--rw=write",
                    "--end_fsync=1",
                    "--fallocate=native",
                    "--unlink=1"))),
        new Comparison(
            name(),
            "read of %d MiB with %d MiB of memory".formatted(bytes / MIB, memory / MIB),
            Figure.perSecond("MiB"),
            List.of(reading, fio("fio, direct 1 MiB, 4 deep", plain, bytes, "--rw=read"))));
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
