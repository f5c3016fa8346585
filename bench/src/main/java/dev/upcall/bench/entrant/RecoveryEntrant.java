package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.worker.Worker;
import dev.upcall.bench.worker.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * An entrant that is a store whose log was filled by a process that was then killed. For each
 * sample another process opens it and is killed, too, which leaves the log as it was.
 */
public final class RecoveryEntrant implements Running {
  private static final long LOAD_SECONDS = 900;
  private static final long FILL_SECONDS = 120;
  private static final double MIB = 1 << 20;

  private final Lab lab;
  private final Store store;
  private final long changes;
  private long logBytes;

  /**
   * A store of equal files, or of entries, made when it is first needed.
   *
   * @param files how many files or entries
   * @param fileBytes of each one, or of the value of an entry
   * @param tables how many tables share the entries; 0 if they are files
   */
  public record Store(Path volume, long files, int fileBytes, long capBytes, int tables) {
    /** One of files. */
    public Store(Path volume, long files, int fileBytes, long capBytes) {
      this(volume, files, fileBytes, capBytes, 0);
    }

    private String words() {
      return tables == 0
          ? "%,d files".formatted(files)
          : "%,d entries in %,d tables".formatted(files, tables);
    }
  }

  private RecoveryEntrant(Lab lab, Store store, long changes) {
    this.lab = lab;
    this.store = store;
    this.changes = changes;
  }

  /**
   * Starts, which makes the store and fills its log.
   *
   * @param kind what fills the log
   */
  public static Running start(Lab lab, Store store, String kind)
      throws IOException, InterruptedException {
    return new RecoveryEntrant(lab, store, crashed(lab, store, kind));
  }

  /**
   * Makes the store, unless it is there, and leaves it as a process does that is killed when it has
   * filled the log; how many changes that took.
   */
  static long crashed(Lab lab, Store store, String kind) throws IOException, InterruptedException {
    if (!Files.exists(store.volume())) {
      lab.say("  making a store of %s", store.words());
      // What is only half made is never taken for a store.
      Path making = store.volume().resolveSibling("making-" + store.volume().getFileName());
      Files.deleteIfExists(making);
      Map<String, ?> options =
          Map.of(
              "volume", making,
              "files", store.files(),
              "bytes", store.fileBytes(),
              "cap", store.capBytes(),
              "tables", store.tables());
      WorkerProcess.start(lab, "load", Worker.command(lab, "load", options), LOAD_SECONDS).close();
      Files.move(making, store.volume());
    }
    Map<String, ?> filling =
        Map.of(
            "volume", store.volume(),
            "files", store.files(),
            "kind", kind,
            "tables", store.tables(),
            "bytes", store.fileBytes());
    return killedWhenReady(lab, "fill-log", filling).number("changes");
  }

  private static Fields killedWhenReady(Lab lab, String job, Map<String, ?> options)
      throws IOException, InterruptedException {
    WorkerProcess worker =
        WorkerProcess.start(lab, job, Worker.command(lab, job, options), FILL_SECONDS);
    worker.kill();
    return worker.greeting();
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    Fields opened = killedWhenReady(lab, "open", Map.of("volume", store.volume()));
    logBytes = opened.number("logBytes");
    return Sample.of(1, opened.number("nanos") / 1e9, opened.number("cpuMillis") / 1e3);
  }

  @Override
  public String note() throws IOException {
    return "volume %s MiB, log %s MiB, %,d changes in it"
        .formatted(
            Numbers.show(Files.size(store.volume()) / MIB), Numbers.show(logBytes / MIB), changes);
  }

  @Override
  public void close() {
    // The processes of each sample have ended; the next comparison takes the same store.
  }
}
