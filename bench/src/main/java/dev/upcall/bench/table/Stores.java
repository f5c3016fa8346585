package dev.upcall.bench.table;

import dev.upcall.bench.entrant.Inputs;
import dev.upcall.bench.harness.Aim;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The stores of entries that are compared, ours first. */
enum Stores {
  /** Its cache is tree pages in the heap; three times as much beside it has more of them. */
  UPCALL("upcall", 5, 24),
  MVSTORE("H2 MVStore, commit and sync", 16, 36),
  ROCKSDB("RocksDB, sync", 24, 16),
  LMDB("LMDB", 24, 16),
  SQLITE("SQLite, WAL, FULL", 24, 16),
  TUPL("TuplDB, SYNC", 16, 36);

  private final String title;
  private final int cacheParts;
  private final int heapParts;

  /** Of a process that may have so much memory in all, 64 parts. */
  Stores(String title, int cacheParts, int heapParts) {
    this.title = title;
    this.cacheParts = cacheParts;
    this.heapParts = heapParts;
  }

  /** For tables. */
  String title() {
    return title;
  }

  /** As options have it. */
  String kind() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  Role role() {
    return this == UPCALL ? Role.OURS : Role.PEER;
  }

  /** How a store of it starts. */
  interface Start {
    Entrant.Start of(Stores store);
  }

  /** An entrant for each. */
  static List<Entrant> all(Start start) {
    List<Entrant> entrants = new ArrayList<>();
    for (Stores store : values()) {
      entrants.add(new Entrant(store.title, store.role(), start.of(store)));
    }
    return entrants;
  }

  /** The figure, expecting so much of ours beside each of these. */
  static Figure ahead(Figure figure, double ratio, Stores... peers) {
    Figure aiming = figure;
    for (Stores peer : peers) {
      aiming = aiming.aimingAt(Aim.ratio(figure.kind(), ratio).beside(peer.title));
    }
    return aiming;
  }

  /**
   * The options of a worker.
   *
   * @param memoryBytes of its cache
   */
  Map<String, Object> options(Lab lab, Question question, long memoryBytes) {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("store", kind());
    options.put("directory", directory(lab, question));
    options.put("load", question.load().name());
    options.put("entries", question.entries());
    options.put("value", question.valueBytes());
    options.put("threads", question.threads());
    options.put("memory", memoryBytes);
    options.put("cap", Inputs.capBytes(lab));
    return options;
  }

  /** Where it is. */
  Path directory(Lab lab, Question question) {
    return lab.scratch().resolve(question.place() + "-" + kind());
  }

  /**
   * A question to all stores.
   *
   * @param place a name: questions with one place use the same stores, one after the other
   */
  record Question(String place, Load load, long entries, int valueBytes, int threads) {}

  /** Of a process that may have so much memory in all, what its cache may have. */
  long cacheBytes(long groupBytes) {
    return groupBytes / 64 * cacheParts;
  }

  /** The heap of such a process. A quarter of it is young: what a cache drops was not. */
  List<String> heap(long groupBytes) {
    long mib = groupBytes / 64 * heapParts >> 20;
    return List.of(
        "-Xms" + mib + "m",
        "-Xmx" + mib + "m",
        "-Xmn" + mib / 4 + "m",
        "-XX:+UseSerialGC",
        "-XX:MaxDirectMemorySize=" + groupBytes);
  }
}
