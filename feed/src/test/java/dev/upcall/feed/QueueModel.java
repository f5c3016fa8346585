package dev.upcall.feed;

import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.ModelStorage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
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

  /** By id: who gets another one if he is away; whether nobody uses the id any more. */
  private final Map<UUID, BooleanSupplier> retiring = new LinkedHashMap<>();

  private final Set<UUID> retired = new LinkedHashSet<>();

  /** Of whom the store knows nothing any more. */
  private final Set<UUID> forgotten = new LinkedHashSet<>();

  /** Entries up to here are not needed any more. */
  private long over = EntryQueue.NONE;

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

  /** Who has ever put something in, and is not forgotten. */
  List<UUID> producers() {
    return producers;
  }

  /** Somebody puts something in under an id. */
  void join(UUID id, BooleanSupplier retire) {
    producers.add(id);
    retiring.put(id, retire);
  }

  boolean retire(UUID id) {
    BooleanSupplier of = retiring.get(id);
    boolean isRetired = of != null && of.getAsBoolean();
    if (isRetired) {
      retired.add(id);
    }
    return isRetired;
  }

  /** Whether nobody uses that id any more. */
  boolean isRetired(UUID id) {
    return retired.contains(id);
  }

  void forget(UUID id) {
    producers.remove(id);
    forgotten.add(id);
  }

  boolean isForgotten(UUID id) {
    return forgotten.contains(id);
  }

  int forgotten() {
    return forgotten.size();
  }

  /** Each of its queues loses what was not synced. */
  void losePower(RandomGenerator random) {
    storage.losePower(random);
    over = Math.min(over, storage.lastIndex());
    replies.losePower(random);
    letters.losePower(random);
  }

  /** Entries up to here have been said to be over. */
  void over(long index) {
    over = index;
  }

  /** One of them is damaged; whether there was one. */
  boolean damage(RandomGenerator random) {
    return storage.damage(over, random);
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
