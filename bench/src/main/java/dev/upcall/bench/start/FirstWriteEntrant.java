package dev.upcall.bench.start;

import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.host.Child;
import dev.upcall.bench.host.ProcessCpu;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link FirstWrite} for each sample: from the start of its process until its first write is
 * durable, in a store that is new, or that was closed before.
 */
final class FirstWriteEntrant implements Running {
  private static final long LIMIT_SECONDS = 120;

  private final Lab lab;
  private final String store;
  private final @Nullable Path existing;
  private int writes;

  private FirstWriteEntrant(Lab lab, String store, @Nullable Path existing) {
    this.lab = lab;
    this.store = store;
    this.existing = existing;
  }

  /** One with a new store for each sample. */
  static Entrant ofNew(String store, Role role) {
    return new Entrant(store, role, lab -> new FirstWriteEntrant(lab, store, null));
  }

  /** One whose store is there, and was closed; a write before the first sample makes it. */
  static Entrant ofExisting(String store, Role role) {
    return new Entrant(
        store,
        role,
        lab -> {
          Path directory = lab.scratch().resolve("existing-" + store);
          FirstWriteEntrant entrant = new FirstWriteEntrant(lab, store, directory);
          entrant.measure();
          return entrant;
        });
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    if (existing != null) {
      return write(existing);
    }
    Path fresh = lab.scratch().resolve("new-" + store);
    try {
      return write(fresh);
    } finally {
      Lab.remove(fresh);
    }
  }

  private Sample write(Path directory) throws IOException, InterruptedException {
    String name = "file-" + ++writes;
    List<String> command = FirstWrite.command(lab, store, directory, capBytes(), name);
    long begin = System.nanoTime();
    Child child = lab.start(store, command);
    try {
      child.await(FirstWrite.DURABLE, LIMIT_SECONDS);
      double seconds = (System.nanoTime() - begin) / 1e9;
      return Sample.of(1, seconds, ProcessCpu.seconds(child.pid()));
    } finally {
      lab.end(child);
    }
  }

  /** The cap of a new volume: small when inputs are tiny, since its log is written. */
  private long capBytes() {
    return lab.settings().either(UpcallConfig.MIN_CAP_BYTES, 0);
  }

  @Override
  public void close() throws IOException {
    if (existing != null) {
      Lab.remove(existing);
    }
  }
}
