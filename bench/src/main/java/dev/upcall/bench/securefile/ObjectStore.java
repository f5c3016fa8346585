package dev.upcall.bench.securefile;

import dev.upcall.Upcall;
import dev.upcall.bench.peer.DurableStore;
import java.io.IOException;
import java.nio.file.Path;

/** A store of whole objects, each durable when its call returns. Any number of threads. */
interface ObjectStore extends AutoCloseable {
  /** Stores the first bytes of an array under a new name. */
  void put(String name, byte[] bytes, int length) throws IOException;

  /**
   * Reads a whole object, from its begin to its end.
   *
   * @param sink is given its first bytes; at least 4 KiB unless it is smaller
   * @return its size in bytes
   */
  long read(String name, Sink sink) throws IOException;

  /** Is given the first bytes of an object. */
  interface Sink {
    /** Looks at them. */
    void begin(byte[] bytes);
  }

  /** Figures of the store itself, by name, in the form of {@code Fields}. */
  default String shape() throws IOException {
    return "";
  }

  @Override
  void close() throws IOException;

  /**
   * Opens one, or makes it.
   *
   * @param kind {@code upcall}, {@code upcall-files} (the same store as a file system of Java),
   *     {@code files}, or what {@link DurableStore#open} knows
   */
  static ObjectStore open(String kind, Path folder, StoreSetting setting) throws IOException {
    return switch (kind) {
      case "upcall" -> new UpcallObjects(folder.resolve("objects.upcall"), setting);
      case "upcall-files" -> {
        Upcall store = UpcallObjects.opened(folder.resolve("objects.upcall"), setting);
        yield new FileObjects(store.fileSystem().getPath("/"), store::close);
      }
      case "files" -> new FileObjects(folder, () -> {});
      default -> new PeerObjects(DurableStore.open(kind, folder));
    };
  }
}
