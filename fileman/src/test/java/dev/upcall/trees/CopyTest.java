package dev.upcall.trees;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Expiry;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.UpcallSnapshot;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.fileman.blocking.TestedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Copies and clones of trees. */
class CopyTest {
  private static final CopyOptions THERE =
      CopyOptions.of(StorePath.of("/from"), StorePath.of("/there/to"));
  private static final Instant OLD = Instant.parse("2001-02-03T04:05:06Z");

  @TempDir Path folder;

  private Upcall create(TestedStore tested) {
    return Upcall.create(folder.resolve("v.upcall"), tested.config());
  }

  /** Files of all sizes, links, odd metadata; all changed long ago. */
  private static void fill(Upcall store) {
    Random random = new Random(5);
    store.createDirectories("/from/deep/deeper");
    store.createDirectories("/from/empty");
    for (int size : new int[] {0, 1, 4096, 65_536, 65_537, 700_001}) {
      byte[] bytes = new byte[size];
      random.nextBytes(bytes);
      store.write("/from/deep/f" + size, bytes);
    }
    store.writeString("/from/deep/deeper/note", "note");
    store.symbolicLink("/from/link", "deep/../deep//f1");
    MetadataChange odd =
        MetadataChange.NONE.withMode(0640).withOwner(7).withAttribute("a", new byte[] {1, 2});
    store.setMetadata("/from/deep/f1", LinkPolicy.FOLLOW, odd);
    store.setMetadata("/from/empty", LinkPolicy.FOLLOW, odd.withMode(0700));
    for (TreeEntry entry : Trees.walk(store, "/from").toList()) {
      store.setMetadata(entry.path(), LinkPolicy.NO_FOLLOW, MetadataChange.NONE.withModified(OLD));
    }
  }

  private static TreeMap<String, String> describe(UpcallReads files, String top) {
    TreeMap<String, String> all = new TreeMap<>();
    Trees.walk(files, top)
        .forEach(
            entry -> {
              var info = entry.info();
              String content =
                  switch (info.kind()) {
                    case FILE ->
                        Integer.toString(Arrays.hashCode(files.readAllBytes(entry.path())));
                    case SYMBOLIC_LINK -> files.readLink(entry.path());
                    case DIRECTORY, TABLE -> "";
                  };
              TreeMap<String, String> attributes = new TreeMap<>();
              info.attributes()
                  .forEach((name, value) -> attributes.put(name, Arrays.toString(value)));
              all.put(
                  entry.relative(),
                  "%s %s %o %d %s %s"
                      .formatted(
                          info.kind(),
                          content,
                          info.mode(),
                          info.owner(),
                          info.modified(),
                          attributes));
            });
    return all;
  }

  private static TreeTask task(boolean cloning, Upcall store, CopyOptions options) {
    return cloning ? Trees.cloning(store, options) : Trees.copying(store, store, options);
  }

  @ParameterizedTest
  @EachEngine
  void allIsAsItWasAndEachGoesItsOwnWay(TestedStore tested) throws IOException {
    for (boolean cloning : new boolean[] {false, true}) {
      try (Upcall store = Upcall.create(folder.resolve(cloning + ".upcall"), tested.config())) {
        fill(store);
        TreeSummary done = task(cloning, store, THERE).run();
        assertTrue(done.isWhole(), done::toString);
        assertEquals(List.of(7L, 1L, 4L), List.of(done.files(), done.links(), done.directories()));
        assertEquals(cloning ? 0 : 835_175, done.bytes());
        assertEquals(describe(store, "/from"), describe(store, "/there/to"));
        assertNotEquals(store.stat("/from/deep/f1").id(), store.stat("/there/to/deep/f1").id());
        store.writeString("/from/deep/f700001", "changed");
        store.deleteTree("/from/empty");
        assertEquals(700_001, store.stat("/there/to/deep/f700001").sizeBytes());
        assertTrue(store.exists("/there/to/empty"));
      }
    }
  }

  @ParameterizedTest
  @EachEngine
  void clonesShareBlocks(TestedStore tested) throws IOException {
    try (Upcall store = create(tested)) {
      store.createDirectory("/from");
      store.write("/from/large", new byte[0]);
      byte[] content = new byte[8 << 20];
      new Random(1).nextBytes(content);
      store.write("/from/large", content);
      store.checkpoint();
      long taken = store.info().sizeBytes() - store.info().freeBytes();
      assertTrue(Trees.cloning(store, THERE).run().isWhole());
      store.checkpoint();
      long now = store.info().sizeBytes() - store.info().freeBytes();
      assertTrue(now - taken < 1 << 20, (now - taken) + " bytes more");
    }
  }

  @ParameterizedTest
  @EachEngine
  void whatIsThereStaysOrGivesWay(TestedStore tested) throws IOException {
    for (boolean cloning : new boolean[] {false, true}) {
      try (Upcall store = Upcall.create(folder.resolve(cloning + ".upcall"), tested.config())) {
        fill(store);
        store.createDirectories("/there/to/deep");
        store.writeString("/there/to/deep/f1", "mine");
        store.writeString("/there/to/link", "mine");
        store.writeString("/there/to/own", "mine");
        TreeSummary kept = task(cloning, store, THERE).run();
        assertEquals(TreeSummary.End.COMPLETE, kept.end());
        assertEquals(
            List.of("/from/deep/f1", "/from/link"),
            kept.problems().stream().map(TreeProblem::path).sorted().toList());
        assertTrue(kept.problems().getFirst().reason().contains("exists"), kept::toString);
        assertEquals("mine", store.readString("/there/to/deep/f1"));
        TreeSummary replaced = task(cloning, store, THERE.withPresent(Present.REPLACE)).run();
        assertTrue(replaced.isWhole(), replaced::toString);
        assertEquals("mine", store.readString("/there/to/own"));
        store.delete("/there/to/own");
        store.setMetadata("/there/to", LinkPolicy.FOLLOW, MetadataChange.NONE.withModified(OLD));
        assertEquals(describe(store, "/from"), describe(store, "/there/to"));
      }
    }
  }

  @ParameterizedTest
  @EachEngine
  void aTreeIsNotCopiedIntoItself(TestedStore tested) {
    try (Upcall store = create(tested)) {
      fill(store);
      store.symbolicLink("/way", "from/deep");
      for (String target : List.of("/from", "/from/deep/x", "/way/x")) {
        for (boolean cloning : new boolean[] {false, true}) {
          CopyOptions options = CopyOptions.of(StorePath.of("/from"), StorePath.of(target));
          String said =
              assertThrows(UpcallException.Invalid.class, () -> task(cloning, store, options).run())
                  .getMessage();
          assertTrue(said.contains("/from cannot be copied to " + target), said);
        }
      }
      CopyOptions missing = CopyOptions.of(StorePath.of("/none"), StorePath.of("/x"));
      assertThrows(UpcallException.NotFound.class, () -> Trees.cloning(store, missing).run());
      assertFalse(store.exists("/x"));
    }
  }

  @ParameterizedTest
  @EachEngine
  void snapshotsAndOtherStoresAreCopiedAndOneFileToo(TestedStore tested) throws IOException {
    try (Upcall store = create(TestedStore.RING);
        Upcall other = Upcall.create(folder.resolve("other.upcall"), tested.config())) {
      fill(store);
      var before = describe(store, "/from");
      try (UpcallSnapshot then = store.fsm().snapshot()) {
        store.deleteTree("/from/deep");
        assertTrue(Trees.copying(then, store, THERE).run().isWhole());
        assertTrue(Trees.copying(then, other, THERE).run().isWhole());
      }
      assertEquals(before, describe(store, "/there/to"));
      assertEquals(before, describe(other, "/there/to"));
      CopyOptions one =
          CopyOptions.of(StorePath.of("/there/to/deep/f1"), StorePath.of("/there/one"));
      assertTrue(Trees.cloning(store, one).run().isWhole());
      assertEquals(1, store.stat("/there/one").sizeBytes());
    }
  }

  @ParameterizedTest
  @EachEngine
  void neitherExpiryNorTheMarkOfAnImportIsTakenAlong(TestedStore tested) throws IOException {
    for (boolean cloning : new boolean[] {false, true}) {
      try (Upcall store = Upcall.create(folder.resolve(cloning + ".upcall"), tested.config())) {
        fill(store);
        store.setExpiry("/from/deep/f1", Expiry.after(Duration.ofDays(1000)));
        store.setMetadata(
            "/from/deep/f1",
            LinkPolicy.FOLLOW,
            MetadataChange.NONE.withAttribute("upcall.import", new byte[24]));
        task(cloning, store, THERE).run();
        var copy = store.stat("/there/to/deep/f1");
        assertFalse(copy.times().hasExpiry());
        assertEquals(List.of("a"), List.copyOf(copy.attributes().keySet()));
      }
    }
  }

  @ParameterizedTest
  @EachEngine
  void itEndsWhenItIsToldAndRunsOnce(TestedStore tested) throws IOException {
    try (Upcall store = create(tested)) {
      fill(store);
      TreeTask cancelled = Trees.cloning(store, THERE);
      cancelled.cancel();
      assertEquals(TreeSummary.End.CANCELLED, cancelled.run().end());
      assertEquals(0, cancelled.soFar().files());
      assertEquals(TreeSummary.End.UNFINISHED, cancelled.soFar().end());
      assertThrows(IllegalStateException.class, cancelled::run);

      TreeProgress progress = new TreeProgress();
      TreeWatch untilLarge =
          TreeWatch.none()
              .withProgress(progress)
              .withCancelled(() -> progress.bytesDone() > 300_000);
      TreeSummary part = Trees.copying(store, store, THERE, untilLarge).run();
      assertEquals(TreeSummary.End.CANCELLED, part.end());
      assertFalse(store.exists("/there/to/deep/f700001"), "a part of a file");

      store.deleteTree("/there");
      store.createDirectories("/there/to/deep/f0");
      store.createDirectories("/there/to/deep/f4096");
      TreeWatch first = TreeWatch.none().withOnProblem(_ -> TreeProblem.Verdict.STOP);
      TreeSummary stopped = Trees.copying(store, store, THERE, first).run();
      assertEquals(TreeSummary.End.PROBLEM, stopped.end());
      assertEquals("/from/deep/f0", stopped.problems().getFirst().path());
    }
  }

  @ParameterizedTest
  @EachEngine
  void aFullVolumeEndsItAndWhatWasDoneIsTold(TestedStore tested) {
    try (Upcall store =
        Upcall.create(folder.resolve("full.upcall"), tested.config().withCapBytes(64L << 20))) {
      store.createDirectory("/from");
      byte[] content = new byte[3 << 20];
      for (int i = 0; i < 12; i++) {
        new Random(i).nextBytes(content);
        store.write("/from/f%02d".formatted(i), content);
      }
      TreeTask task = Trees.copying(store, store, THERE);
      assertThrows(UpcallException.VolumeFull.class, task::run);
      long copied = task.soFar().files();
      assertTrue(copied > 0 && copied < 12, "copied " + copied);
      assertEquals(copied, store.list("/there/to", 100).entries().size());
    }
  }
}
