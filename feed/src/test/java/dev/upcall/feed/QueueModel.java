package dev.upcall.feed;

import dev.upcall.journal.queue.ModelStorage;
import java.util.TreeMap;
import java.util.UUID;

/** A queue without files: its entries, which it is, and for a canary what was ever seen where. */
final class QueueModel {
  private final ModelStorage storage = new ModelStorage();
  private final UUID id;
  private final TreeMap<Long, byte[]> everSeen = new TreeMap<>();
  private long generation;

  QueueModel(UUID id) {
    this.id = id;
  }

  ModelStorage storage() {
    return storage;
  }

  UUID id() {
    return id;
  }

  long generation() {
    return generation;
  }

  long nextGeneration() {
    return ++generation;
  }

  TreeMap<Long, byte[]> everSeen() {
    return everSeen;
  }
}
