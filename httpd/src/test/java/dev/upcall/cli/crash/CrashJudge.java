package dev.upcall.cli.crash;

import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.Upcall;
import dev.upcall.fsm.Completion;
import dev.upcall.txn.VerifyOptions;
import dev.upcall.txn.VerifyReport;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts the worker, kills it at a random instant, opens the store and compares. */
final class CrashJudge {
  private static final int TREE_FILES = 250;
  private static final int FIRST_WAIT_SECONDS = 60;

  private final Path folder;
  private final long seed;
  private final Random random;

  CrashJudge(Path folder, long seed) throws IOException {
    this.folder = folder;
    this.seed = seed;
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

  /** One life and death of the worker; returns how many operations it acknowledged. */
  long round(boolean early) throws IOException, InterruptedException {
    long before = acknowledged();
    Path log = folder.resolve("worker.log");
    Process worker = start(log);
    try {
      if (!early) {
        awaitFirst(worker, before, log);
      }
      boolean died = worker.waitFor(random.nextInt(1500), TimeUnit.MILLISECONDS);
      check(!died, "the worker died by itself: " + Files.readString(log));
    } finally {
      worker.destroyForcibly();
      worker.waitFor();
    }
    long acknowledged = acknowledged() - before;
    if (Files.exists(folder.resolve("s.upcall"))) {
      compare();
    }
    return acknowledged;
  }

  private void awaitFirst(Process worker, long before, Path log)
      throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(FIRST_WAIT_SECONDS);
    while (acknowledged() == before) {
      boolean died = worker.waitFor(5, TimeUnit.MILLISECONDS);
      check(!died, "the worker died by itself: " + Files.readString(log));
      check(System.nanoTime() < until, "the worker acknowledges nothing");
    }
  }

  private Process start(Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("--"))
        .forEach(command::add);
    command.addAll(List.of("-ea", "-Xmx128m", "-XX:MaxDirectMemorySize=256m", "-XX:+UseSerialGC"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8"));
    command.addAll(List.of("-cp", classPath(), CrashWorker.class.getName()));
    command.addAll(List.of(folder.toString(), Long.toString(seed)));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /** Surefire may put the real class path behind one manifest. */
  private static String classPath() {
    String surefire = System.getProperty("surefire.test.class.path");
    String path = surefire == null ? System.getProperty("java.class.path") : surefire;
    return String.join(File.pathSeparator, path.split(File.pathSeparator, -1));
  }

  private long acknowledged() throws IOException {
    long sum = Journal.count(Journal.path(folder, "importer"));
    for (int writer = 0; writer < CrashWorker.WRITERS; writer++) {
      sum += Journal.count(Journal.path(folder, "writer" + writer));
    }
    return sum;
  }

  /** Throws when something acknowledged is missing or altered, or anything is half there. */
  void compare() throws IOException {
    try (Upcall store = Upcall.open(folder.resolve("s.upcall"), CrashWorker.CONFIG)) {
      for (int writer = 0; writer < CrashWorker.WRITERS; writer++) {
        compareWriter(store, writer);
      }
      compareImports(store);
      verify(store);
    }
  }

  private void compareWriter(Upcall store, int writer) throws IOException {
    CrashModel model = new CrashModel(seed, writer);
    Path path = Journal.path(folder, "writer" + writer);
    model.advanceTo(Journal.count(path));
    String before = difference(store, model);
    if (before.isEmpty()) {
      return;
    }
    // The operation under way may have happened, wholly.
    model.advanceTo(model.done() + 1);
    String after = difference(store, model);
    check(
        after.isEmpty(),
        "writer %d: after %d acknowledged: %s; if one more happened: %s"
            .formatted(writer, model.done() - 1, before, after));
    try (Journal journal = new Journal(path)) {
      journal.acknowledged(model.done());
    }
  }

  private static String difference(Upcall store, CrashModel model) {
    Map<String, FileInfo> there = new TreeMap<>();
    if (store.exists(model.directory())) {
      store.forEach(model.directory(), info -> there.put(info.name(), info));
    }
    if (!there.keySet().equals(model.files().keySet())) {
      return "names " + there.keySet() + " instead of " + model.files().keySet();
    }
    for (Map.Entry<String, List<CrashModel.Piece>> file : model.files().entrySet()) {
      byte[] found = store.readAllBytes(model.directory() + "/" + file.getKey());
      int odd = Arrays.mismatch(found, CrashModel.bytes(file.getValue()));
      if (odd >= 0) {
        return file.getKey() + " differs at " + odd + " of " + found.length;
      }
    }
    return "";
  }

  private void compareImports(Upcall store) throws IOException {
    long done = Journal.count(Journal.path(folder, "importer"));
    if (!store.exists("/imports")) {
      check(done == 0, "/imports is gone");
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
        check(there, "import " + copy + " is gone");
      }
      check(!deleted || !there, "import " + copy + " is back");
      if (there) {
        compareCopy(store, "/imports/" + copy, imported);
      }
    }
    check(copies.isEmpty(), "never imported: " + copies);
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
        check(
            Arrays.equals(Files.readAllBytes(file), store.readAllBytes(path)),
            path + " is not what was imported");
      }
    }
    check(
        !acknowledged || found == files.size(),
        "%s: %d of %d files".formatted(copy, found, files.size()));
  }

  private static void verify(Upcall store) {
    CompletableFuture<Completion<VerifyReport>> result = new CompletableFuture<>();
    store.execute(
        () ->
            store
                .fileManager()
                .store()
                .verify(new VerifyOptions(true), (_, _) -> true, result::complete));
    check(
        result.join() instanceof Completion.Done<VerifyReport>(VerifyReport report)
            && report.isSound(),
        "the structure is wrong: " + result.join());
  }

  private static void check(boolean fact, String otherwise) {
    if (!fact) {
      throw new AssertionError(otherwise);
    }
  }
}
