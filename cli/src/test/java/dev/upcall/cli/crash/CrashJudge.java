package dev.upcall.cli.crash;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts the worker, kills it at a random instant, opens the store and compares. */
final class CrashJudge {
  private static final int TREE_FILES = 250;

  private final Path folder;
  private final long seed;
  private final CrashWorker.Setting setting;
  private final Random random;
  private final Ground ground;

  /** What the volume stands on. */
  interface Ground {
    /** The worker is about to start. */
    void begin() throws IOException;

    /** The worker is about to be killed. */
    void kill();

    /** The worker is dead, and nobody has looked at its volume. */
    void end() throws IOException, InterruptedException;
  }

  /** Counts what a worker has acknowledged in all its lives. */
  private interface Counter {
    long count() throws IOException;
  }

  CrashJudge(Path folder, long seed) throws IOException {
    this(folder, seed, CrashWorker.Setting.PLAIN);
  }

  /** A judge of stores that are set in some way. */
  CrashJudge(Path folder, long seed, CrashWorker.Setting setting) throws IOException {
    this(
        folder,
        seed,
        setting,
        new Ground() {
          @Override
          public void begin() {}

          @Override
          public void kill() {}

          @Override
          public void end() {}
        });
  }

  /** A judge whose volumes do not simply stay what they are. */
  CrashJudge(Path folder, long seed, Ground ground) throws IOException {
    this(folder, seed, CrashWorker.Setting.PLAIN, ground);
  }

  private CrashJudge(Path folder, long seed, CrashWorker.Setting setting, Ground ground)
      throws IOException {
    this.folder = folder;
    this.seed = seed;
    this.setting = setting;
    this.ground = ground;
    this.random = new Random(seed);
    makeTree();
  }

  private void makeTree() throws IOException {
    Path tree = folder.resolve("tree");
    for (int i = 0; i < TREE_FILES; i++) {
      Path directory = Files.createDirectories(tree.resolve("d" + i % 17 + "/e" + i % 3));
      byte[] bytes = new byte[i % 40 == 0 ? 300_000 : random.nextInt(9000)];
      random.nextBytes(bytes);
      Files.write(directory.resolve("f" + i), bytes);
    }
  }

  /** As {@link #round(boolean, Engine)} with the state machines. */
  long round(boolean early) throws IOException, InterruptedException {
    return round(early, Engine.FSM);
  }

  /**
   * One life and death of the worker; what is left is opened by the machines, whoever wrote it.
   * Returns how many operations it acknowledged.
   */
  long round(boolean early, Engine engine) throws IOException, InterruptedException {
    return round(engine, early ? null : this::acknowledged);
  }

  /** As {@link #round(boolean)}, but not before a snapshot was made. */
  long roundWithSnapshot() throws IOException, InterruptedException {
    return round(Engine.FSM, () -> Journal.count(Journal.path(folder, CrashWorker.SNAPSHOTS)));
  }

  private long round(Engine engine, @Nullable Counter awaited)
      throws IOException, InterruptedException {
    long before = acknowledged();
    long awaitedBefore = awaited == null ? 0 : awaited.count();
    ground.begin();
    Path log = folder.resolve("worker.log");
    Process worker =
        Victim.start(
            log,
            CrashWorker.class.getName(),
            folder.toString(),
            Long.toString(seed),
            engine.name(),
            setting.name());
    try {
      if (awaited != null) {
        awaitFirst(worker, awaited, awaitedBefore, log);
      }
      boolean died = worker.waitFor(random.nextInt(1500), TimeUnit.MILLISECONDS);
      Comparison.check(!died, "the worker died by itself: " + Files.readString(log));
    } finally {
      ground.kill();
      worker.destroyForcibly();
      worker.waitFor();
    }
    ground.end();
    long acknowledged = acknowledged() - before;
    if (Files.exists(folder.resolve("s.upcall"))) {
      compare();
    }
    return acknowledged;
  }

  private static void awaitFirst(Process worker, Counter awaited, long before, Path log)
      throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(Victim.WAIT_SECONDS);
    while (awaited.count() == before) {
      boolean died = worker.waitFor(5, TimeUnit.MILLISECONDS);
      Comparison.check(!died, "the worker died by itself: " + Files.readString(log));
      Comparison.check(
          System.nanoTime() < until, "the worker acknowledges nothing: " + Files.readString(log));
    }
  }

  private long acknowledged() throws IOException {
    long sum = Journal.count(Journal.path(folder, "importer")) + CrashBank.acknowledged(folder);
    sum += Journal.count(CrashPerishables.journal(folder));
    sum += Journal.count(CrashEntries.journal(folder));
    for (int writer = 0; writer < CrashWorker.WRITERS; writer++) {
      sum += Journal.count(Journal.path(folder, "writer" + writer));
    }
    return sum;
  }

  /** Throws when something acknowledged is missing or altered, or anything is half there. */
  void compare() throws IOException {
    try (Upcall store = open()) {
      for (int writer = 0; writer < CrashWorker.WRITERS; writer++) {
        Comparison.writer(store, folder, new CrashModel(seed, writer));
      }
      Comparison.snapshots(store, folder, seed);
      CrashBank.compare(store, folder);
      CrashPerishables.compare(store, folder, seed);
      CrashEntries.compare(store, folder, seed);
      compareImports(store);
      Comparison.verify(store);
    }
  }

  /** The store that the workers have left. */
  Upcall open() {
    return Upcall.open(folder.resolve("s.upcall"), setting.config());
  }

  private void compareImports(Upcall store) throws IOException {
    long done = Journal.count(Journal.path(folder, "importer"));
    if (!store.exists("/imports")) {
      Comparison.check(done == 0, "/imports is gone");
      return;
    }
    List<String> copies = new ArrayList<>();
    store.forEach("/imports", info -> copies.add(info.name()));
    for (long copy = 0; copy <= done / 2; copy++) {
      boolean imported = 2 * copy + 1 <= done;
      boolean deleted = 2 * (copy + 1) + 2 <= done;
      boolean underWay = done == 2 * copy || done == 2 * (copy + 1) + 1;
      boolean there = copies.remove(Long.toString(copy));
      if (imported && !deleted && !underWay) {
        Comparison.check(there, "import " + copy + " is gone");
      }
      Comparison.check(!deleted || !there, "import " + copy + " is back");
      if (there) {
        compareCopy(store, "/imports/" + copy, imported);
      }
    }
    Comparison.check(copies.isEmpty(), "never imported: " + copies);
  }

  /** Every file whole; all of them when the import was acknowledged. */
  private void compareCopy(Upcall store, String copy, boolean acknowledged) throws IOException {
    Path tree = folder.resolve("tree");
    List<Path> files;
    try (Stream<Path> all = Files.walk(tree)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    int found = 0;
    for (Path file : files) {
      String path = copy + "/" + tree.relativize(file);
      if (store.exists(path)) {
        found++;
        Comparison.check(
            Arrays.equals(Files.readAllBytes(file), store.readAllBytes(path)),
            path + " is not what was imported");
      }
    }
    Comparison.check(
        !acknowledged || found == files.size(),
        "%s: %d of %d files".formatted(copy, found, files.size()));
  }
}
