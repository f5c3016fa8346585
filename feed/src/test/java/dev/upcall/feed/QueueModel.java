package dev.upcall.feed;

import dev.upcall.journal.queue.ModelStorage;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * A queue without files: its entries, what is said of them, which it is, and for a canary what was
 * ever seen where.
 */
final class QueueModel {
  private final ModelStorage storage = new ModelStorage();
  private final ModelStorage replies = new ModelStorage();
  private final ModelStorage letters = new ModelStorage();
  private final List<UUID> producers = new ArrayList<>();
  private final UUID id;
  private final TreeMap<Long, byte[]> everSeen = new TreeMap<>();
  private long generation;

  QueueModel(UUID id) {
    this.id = id;
  }

  ModelStorage storage() {
    return storage;
  }

  ModelStorage replies() {
    return replies;
  }

  ModelStorage letters() {
    return letters;
  }

  /** Who puts something in. */
  List<UUID> producers() {
    return producers;
  }

  /** Each of its queues loses what was not synced. */
  void losePower(RandomGenerator random) {
    storage.losePower(random);
    replies.losePower(random);
    letters.losePower(random);
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
