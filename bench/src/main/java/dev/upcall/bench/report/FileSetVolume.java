package dev.upcall.bench.report;

import dev.upcall.FileContent;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.request.FileRequest;
import dev.upcall.specweb.FileSet;
import dev.upcall.store.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A volume with a SPECweb96-style file set in it, made once and copied for each process that needs
 * one of its own.
 *
 * @param original never opened again
 * @param set the files
 */
public record FileSetVolume(Path original, FileSet set) {
  private static final int CAP_FACTOR = 8;
  private static final long BATCH_BYTES = 1 << 20;
  private static final long MIB = 1L << 20;

  /** Makes the volume. */
  public static FileSetVolume make(Path volume, FileSet set) {
    long cap = Math.max(UpcallConfig.MIN_CAP_BYTES, CAP_FACTOR * set.totalBytes());
    try (Upcall store = Upcall.create(volume, UpcallConfig.DEFAULT.withCapBytes(cap))) {
      StorePath root = StorePath.of("/" + FileSet.ROOT);
      List<FileRequest> batch = new ArrayList<>();
      batch.add(new FileRequest.CreateDirectory(root));
      long bytes = 0;
      for (FileSet.Entry entry : set.entries().toList()) {
        StorePath path = StorePath.of("/" + entry.path());
        if (entry.sizeClass() == 0 && entry.file() == 0) {
          batch.add(new FileRequest.CreateDirectory(path.parent()));
        }
        if (bytes + entry.sizeBytes() > BATCH_BYTES) {
          store.batch(List.copyOf(batch), Durability.ASYNC);
          batch.clear();
          bytes = 0;
        }
        bytes += entry.sizeBytes();
        batch.add(
            new FileRequest.Put(path, new FileContent.Bytes(entry.content()), PutOptions.DEFAULT));
      }
      store.batch(batch, Durability.SYNC);
    }
    return new FileSetVolume(volume, set);
  }

  /** A copy under another name beside it, over what was there. */
  public Path copy(String name) throws IOException {
    Path copy = original.resolveSibling(name + ".upcall");
    Files.deleteIfExists(copy);
    Files.copy(original, copy);
    return copy;
  }

  /** Memory of a store in which all of it fits. */
  public long warmMemoryBytes() {
    return 2 * set.totalBytes() + 64 * MIB;
  }

  /** Memory of a store in which an eighth of it fits. */
  public long coldMemoryBytes() {
    return Math.max(24 * MIB, set.totalBytes() / 8);
  }
}
