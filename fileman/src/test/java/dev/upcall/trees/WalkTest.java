package dev.upcall.trees;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.AsyncFiles;
import dev.upcall.Engine;
import dev.upcall.FileInfo;
import dev.upcall.FsmUpcall;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.fileman.blocking.TestedStore;
import dev.upcall.request.FileRequest;
import dev.upcall.stage.StageFiles;
import dev.upcall.trees.WalkOptions.Order;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Walks over trees at each door. */
class WalkTest {
  @TempDir Path folder;

  private Upcall create(TestedStore tested) {
    Upcall store = Upcall.create(folder.resolve("v.upcall"), tested.config());
    store.createDirectories("/top/a/deep");
    store.createDirectories("/top/b");
    for (String file : List.of("/top/a/deep/x.txt", "/top/a/y.txt", "/top/b/z.bin", "/top/c")) {
      store.writeString(file, file);
    }
    store.symbolicLink("/top/link", "a");
    return store;
  }

  private static List<String> paths(Stream<TreeEntry> entries) {
    return entries.map(entry -> entry.path().toString()).toList();
  }

  @ParameterizedTest
  @EachEngine
  void directoriesComeFirstOrLast(TestedStore tested) {
    try (Upcall store = create(tested)) {
      assertEquals(
          List.of(
              "/top",
              "/top/a",
              "/top/a/deep",
              "/top/a/deep/x.txt",
              "/top/a/y.txt",
              "/top/b",
              "/top/b/z.bin",
              "/top/c",
              "/top/link"),
          paths(Trees.walk(store, "/top")));
      assertEquals(
          List.of(
              "/top/a/deep/x.txt",
              "/top/a/deep",
              "/top/a/y.txt",
              "/top/a",
              "/top/b/z.bin",
              "/top/b",
              "/top/c",
              "/top/link",
              "/top"),
          paths(Trees.walk(store, "/top", WalkOptions.DEFAULT.withOrder(Order.DIRECTORY_LAST))));
    }
  }

  @ParameterizedTest
  @EachEngine
  void aWalkIsAsDeepAsItIsAllowed(TestedStore tested) {
    try (Upcall store = create(tested)) {
      assertEquals(
          List.of("/top"), paths(Trees.walk(store, "/top", WalkOptions.DEFAULT.withMaxDepth(0))));
      List<TreeEntry> one = Trees.walk(store, "/top", WalkOptions.DEFAULT.withMaxDepth(1)).toList();
      assertEquals(
          List.of("", "a", "b", "c", "link"), one.stream().map(TreeEntry::relative).toList());
      assertEquals(List.of(0, 1, 1, 1, 1), one.stream().map(TreeEntry::depth).toList());
      assertEquals(List.of("/top/c"), paths(Trees.walk(store, "/top/c")));
    }
  }

  @ParameterizedTest
  @EachEngine
  void linksAreFollowedOnceAndOnlyOnDemand(TestedStore tested) {
    WalkOptions follow = WalkOptions.DEFAULT.withLinks(LinkPolicy.FOLLOW);
    try (Upcall store = create(tested)) {
      store.symbolicLink("/top/b/up", "..");
      store.symbolicLink("/top/b/nowhere", "none");
      store.symbolicLink("/top/b/self", "self");
      store.symbolicLink("/top/b/through", "../c/below");
      List<TreeEntry> all = Trees.walk(store, "/top", follow).toList();
      assertEquals(
          List.of(
              "/top/b",
              "/top/b/nowhere",
              "/top/b/self",
              "/top/b/through",
              "/top/b/up",
              "/top/b/z.bin",
              "/top/c",
              "/top/link",
              "/top/link/deep",
              "/top/link/deep/x.txt",
              "/top/link/y.txt"),
          paths(all.stream().skip(5)));
      for (TreeEntry entry : all) {
        boolean leadsNowhere = entry.path().toString().matches("/top/b/(nowhere|self|through|up)");
        assertEquals(leadsNowhere, entry.info().isSymbolicLink(), entry::toString);
      }
      assertEquals(1, Trees.walk(store, "/top/link").count());
      assertEquals(4, Trees.walk(store, "/top/link", follow).count());
    }
  }

  @ParameterizedTest
  @EachEngine
  void aStartThatIsNotThereAndNoPathAreNamed(TestedStore tested) {
    try (Upcall store = create(tested)) {
      Iterator<TreeEntry> none = Trees.iterator(store, "/none", WalkOptions.DEFAULT);
      assertThrows(UpcallException.NotFound.class, none::hasNext);
      assertThrows(UpcallException.Invalid.class, () -> Trees.walk(store, "no path"));
      Iterator<TreeEntry> one = Trees.iterator(store, "/top/c", WalkOptions.DEFAULT);
      assertEquals("/top/c", one.next().path().toString());
      assertFalse(one.hasNext());
      assertThrows(NoSuchElementException.class, one::next);
    }
  }

  /** A directory that goes before its turn is empty; what comes behind it is found. */
  @ParameterizedTest
  @EachEngine
  void aTreeMayChangeMeanwhile(TestedStore tested) {
    try (Upcall store = create(tested)) {
      Iterator<TreeEntry> walk = Trees.iterator(store, "/top", WalkOptions.DEFAULT);
      walk.next();
      assertEquals("/top/a", walk.next().path().toString());
      store.deleteTree("/top/a");
      store.deleteTree("/top/b");
      store.writeString("/top/b", "a file now");
      assertEquals("/top/b", walk.next().path().toString());
      assertEquals("/top/c", walk.next().path().toString());
    }
  }

  @Test
  void snapshotsAndTransactionsAreWalkedAsTheyAre() {
    try (FsmUpcall store = create(TestedStore.RING).fsm();
        UpcallSnapshot then = store.snapshot();
        UpcallTransaction change = store.begin()) {
      List<String> before = paths(Trees.walk(store, "/"));
      change.writeString("/top/mine", "mine");
      store.deleteTree("/top/a");
      assertEquals(before, paths(Trees.walk(then, "/")));
      assertTrue(paths(Trees.walk(change, "/top")).contains("/top/mine"));
      assertFalse(paths(Trees.walk(store, "/top")).contains("/top/mine"));
    }
  }

  /** Trees by chance: what a walk gives is what asking directory by directory gives. */
  @ParameterizedTest
  @EachEngine
  void allDoorsGiveWhatListingsGive(TestedStore tested) {
    for (long seed = 1; seed <= 3; seed++) {
      try (Upcall store = Upcall.create(folder.resolve("s" + seed + ".upcall"), tested.config())) {
        makeByChance(store, new Random(seed), 700);
        List<String> expected = new ArrayList<>();
        List<String> last = new ArrayList<>();
        collect(store, store.stat("/"), StorePath.ROOT, expected, last);
        assertEquals(expected, paths(Trees.walk(store, "/")), "seed " + seed);
        assertEquals(
            last,
            paths(Trees.walk(store, "/", WalkOptions.DEFAULT.withOrder(Order.DIRECTORY_LAST))),
            "seed " + seed);
        if (tested.engine() == Engine.FSM) {
          otherDoors(store.fsm(), expected);
        }
      }
    }
  }

  private static void otherDoors(FsmUpcall store, List<String> expected) {
    List<String> staged = new ArrayList<>();
    try (StageFiles files = store.newStageFiles(Thread::startVirtualThread)) {
      CompletionStage<Long> walk =
          Trees.walk(
              files,
              "/",
              WalkOptions.DEFAULT,
              entry -> {
                staged.add(entry.path().toString());
                return entry.info().isFile()
                    ? files.stat(entry.path())
                    : CompletableFuture.completedStage(null);
              });
      assertEquals((long) expected.size(), walk.toCompletableFuture().join());
    }
    assertEquals(expected, staged);
    List<String> upcalls = new ArrayList<>();
    List<Completion<Long>> ends = new ArrayList<>();
    try (AsyncFiles files = store.newAsyncFiles()) {
      Trees.walk(
          files,
          "/",
          WalkOptions.DEFAULT,
          entry -> upcalls.add(entry.path().toString()),
          ends::add);
      drain(files);
    }
    assertEquals(expected, upcalls);
    assertEquals(List.of(Completion.done((long) expected.size())), ends);
    List<String> inside = new ArrayList<>();
    Completion<Long> end =
        store.await(
            port ->
                Trees.walk(
                    store.fileManager(),
                    "/",
                    WalkOptions.DEFAULT,
                    entry -> inside.add(entry.path().toString()),
                    port));
    assertEquals(Completion.done((long) expected.size()), end);
    assertEquals(expected, inside);
  }

  private static void drain(AsyncFiles files) {
    try {
      while (files.outstanding() > 0) {
        files.await(64);
      }
    } catch (InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  private static void makeByChance(Upcall store, Random random, int entries) {
    List<StorePath> directories = new ArrayList<>(List.of(StorePath.ROOT));
    List<FileRequest> requests = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      // The newest more often, so that some lie deep.
      int back = random.nextInt(1 + random.nextInt(directories.size()));
      StorePath path = directories.get(directories.size() - 1 - back).child("e" + i);
      if (random.nextInt(3) == 0) {
        requests.add(new FileRequest.CreateDirectory(path));
        directories.add(path);
      } else {
        requests.add(new FileRequest.SymbolicLink(path, "nowhere", MetadataChange.NONE));
      }
    }
    store.batch(requests);
  }

  private static void collect(
      UpcallReads files,
      FileInfo directory,
      StorePath path,
      List<String> first,
      List<String> last) {
    first.add(path.toString());
    if (directory.isDirectory()) {
      files.forEach(path, entry -> collect(files, entry, path.child(entry.name()), first, last));
    }
    last.add(path.toString());
  }

  @Test
  void aStageWalkEndsWithWhatFailsOrIsGivenUp() {
    try (FsmUpcall store = create(TestedStore.RING).fsm();
        StageFiles files = store.newStageFiles(Thread::startVirtualThread)) {
      failed(
          UpcallException.NotFound.class,
          Trees.walk(
              files, "/none", WalkOptions.DEFAULT, _ -> CompletableFuture.completedStage(null)));
      failed(
          ArithmeticException.class,
          Trees.walk(
              files,
              "/top",
              WalkOptions.DEFAULT,
              _ -> {
                throw new ArithmeticException("thrown");
              }));
      failed(
          UpcallException.IsADirectory.class,
          Trees.walk(files, "/top", WalkOptions.DEFAULT, entry -> files.readString(entry.path())));
      CompletableFuture<Object> never = new CompletableFuture<>();
      CompletableFuture<Object> reached = new CompletableFuture<>();
      CompletableFuture<Long> walk =
          Trees.walk(
                  files,
                  "/top",
                  WalkOptions.DEFAULT,
                  _ -> {
                    reached.complete("the first entry");
                    return never;
                  })
              .toCompletableFuture();
      reached.join();
      walk.cancel(false);
      assertThrows(RuntimeException.class, never::join);
      assertTrue(never.isCancelled());
    }
  }

  private static void failed(Class<? extends Throwable> kind, CompletionStage<?> stage) {
    Throwable failure =
        assertThrows(CompletionException.class, stage.toCompletableFuture()::join).getCause();
    assertEquals(kind, failure.getClass());
  }

  @Test
  void aWalkByPortsEndsWhenThePredicateSaysSoOrTheStoreFails() {
    try (FsmUpcall store = create(TestedStore.RING).fsm();
        AsyncFiles files = store.newAsyncFiles()) {
      List<Completion<Long>> ends = new ArrayList<>();
      Trees.walk(files, "/top", WalkOptions.DEFAULT, entry -> !entry.info().isFile(), ends::add);
      drain(files);
      assertEquals(List.of(Completion.done(4L)), ends);
      ends.clear();
      Trees.walk(files, "/none", WalkOptions.DEFAULT, _ -> true, ends::add);
      drain(files);
      assertTrue(
          ends.getFirst() instanceof Completion.Failed<Long>(Failure.NotFound _), ends::toString);
    }
  }

  @ParameterizedTest
  @EachEngine
  void patternsMatchWhatIsBelowTheDirectory(TestedStore tested) {
    try (Upcall store = create(tested)) {
      assertEquals(
          List.of("/top/c"),
          paths(Trees.glob(store, "/top", "[b-d]*").filter(f -> f.info().isFile())));
      assertEquals(List.of("/top/a/y.txt"), paths(Trees.glob(store, "/top", "*/*.txt")));
      assertEquals(
          List.of("/top/a/deep/x.txt", "/top/a/y.txt"), paths(Trees.glob(store, "/top", "**.txt")));
      assertEquals(
          List.of("/top/a/y.txt", "/top/b/z.bin"),
          paths(Trees.glob(store, "/top", "{a/?.txt,b/*.bin}")));
      assertEquals(
          List.of("/top/a/deep", "/top/a/deep/x.txt"),
          paths(Trees.walk(store, "/top").filter(Trees.matching("regex:a/d.*"))));
      assertEquals(List.of(), paths(Trees.glob(store, "/top", "")));
      assertThrows(IllegalArgumentException.class, () -> Trees.glob(store, "/top", "[a"));
      assertThrows(IllegalArgumentException.class, () -> Trees.matching("no syntax"));
      assertThrows(UnsupportedOperationException.class, () -> Trees.matching("sql:%"));
    }
  }
}
