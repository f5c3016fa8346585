package dev.upcall.nio;

import java.nio.file.FileSystemNotFoundException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * File systems that are open, by where they are mounted. Of two at one place the first is found.
 */
final class Mounts {
  private final ConcurrentMap<MountUri, UpcallFileSystem> open = new ConcurrentHashMap<>();

  /** How many were made. */
  private final AtomicLong made = new AtomicLong();

  /** The number of one that is being made. */
  long nextNumber() {
    return made.incrementAndGet();
  }

  void add(UpcallFileSystem system) {
    open.putIfAbsent(system.mount().uri(), system);
  }

  void remove(UpcallFileSystem system) {
    open.remove(system.mount().uri(), system);
  }

  boolean has(MountUri uri) {
    return open.containsKey(uri);
  }

  UpcallFileSystem get(MountUri uri) {
    UpcallFileSystem found = open.get(uri);
    if (found == null) {
      throw new FileSystemNotFoundException("no file system is open at " + uri.of("/"));
    }
    return found;
  }
}
