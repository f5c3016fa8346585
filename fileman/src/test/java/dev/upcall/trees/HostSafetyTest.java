package dev.upcall.trees;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a transfer must not do to the host, nor the host to a transfer. */
class HostSafetyTest {
  private static final UpcallConfig SMALL =
      UpcallConfig.DEFAULT.withMemoryBytes(24L << 20).withCapBytes(256L << 20);

  @TempDir Path folder;

  private Upcall create() {
    return Upcall.create(folder.resolve("v.upcall"), SMALL);
  }

  private Path tree() throws IOException {
    return Files.createDirectories(folder.resolve("tree"));
  }

  private TreeSummary export(Upcall store, String target, Present present) throws IOException {
    ExportOptions options = ExportOptions.of(StorePath.ROOT, folder.resolve(target));
    return Trees.exporting(store, options.withPresent(present)).run();
  }

  /** Appends a byte with each look at whether to go on, so many times, while the file is read. */
  private TreeWatch writing(Path file, int times) {
    AtomicInteger left = new AtomicInteger(times);
    return TreeWatch.none()
        .withCancelled(
            () -> {
              if (Thread.currentThread().getName().contains("reader")
                  && left.decrementAndGet() >= 0) {
                append(file);
              }
              return false;
            });
  }

  private static synchronized void append(Path file) {
    try {
      Files.write(file, new byte[1], StandardOpenOption.APPEND);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Test
  void import_fileWrittenToMeanwhile_isReadAgain() throws IOException {
    try (Upcall store = create()) {
      for (int size : new int[] {1000, 300_000}) {
        Path file = tree().resolve("f" + size);
        Files.write(file, new byte[size]);
        ImportOptions options = ImportOptions.of(tree(), StorePath.ROOT).withReaders(1);
        TreeSummary done = Trees.importing(store, options, writing(file, 1)).run();
        assertTrue(done.isWhole(), done::toString);
        assertArrayEquals(Files.readAllBytes(file), store.readAllBytes("/f" + size));
      }
    }
  }

  @Test
  void import_fileWrittenToAllTheTime_isReportedAndLeftAsItWas() throws IOException {
    Path file = tree().resolve("f");
    Files.write(file, new byte[300_000]);
    try (Upcall store = create()) {
      store.writeString("/f", "as it was");
      ImportOptions options = ImportOptions.of(tree(), StorePath.ROOT).withReaders(1);
      TreeWatch writer = writing(file, Integer.MAX_VALUE);
      TreeSummary done = Trees.importing(store, options, writer).run();
      assertEquals(1, done.problemCount(), done::toString);
      assertTrue(done.problems().getFirst().reason().contains("was written to"), done::toString);
      assertEquals("as it was", store.readString("/f"));
      assertEquals(0, store.info().unplacedBytes());
      assertTrue(Trees.importing(store, options).run().isWhole());
      assertArrayEquals(Files.readAllBytes(file), store.readAllBytes("/f"));
    }
  }

  @Test
  void import_treeDeeperThanAPath_isReportedForThatEntryAlone() throws IOException {
    Path deep = tree();
    for (int i = 0; i < 1001; i++) {
      deep = deep.resolve("d");
    }
    Files.createDirectories(deep);
    Files.writeString(tree().resolve("z"), "behind");
    try (Upcall store = create()) {
      TreeSummary done = Trees.importing(store, ImportOptions.of(tree(), StorePath.ROOT)).run();
      assertEquals(1, done.problemCount(), done::toString);
      assertEquals(deep.toString(), done.problems().getFirst().path());
      assertEquals(1000, done.directories());
      assertEquals("behind", store.readString("/z"));
      TreeSummary out = export(store, "out", Present.KEEP);
      assertTrue(out.isWhole(), out::toString);
    }
    // JUnit asks for the real path of each directory, which takes long of such.
    deleteChain(deep);
    deleteChain(folder.resolve("out").resolve(tree().relativize(deep.getParent())));
  }

  private void deleteChain(Path deepest) throws IOException {
    for (Path path = deepest; path.endsWith("d"); path = path.getParent()) {
      Files.delete(path);
    }
  }

  @Test
  void import_folderWithTheVolume_saysThatItIsLeftOut() throws IOException {
    try (Upcall store = create()) {
      Path link = Files.createLink(tree().resolve("link"), folder.resolve("v.upcall"));
      TreeSummary done = Trees.importing(store, ImportOptions.of(tree(), StorePath.ROOT)).run();
      assertTrue(done.isWhole(), done::toString);
      assertEquals(List.of(link.toString()), done.excluded());
      assertFalse(store.exists("/link"));
    }
  }

  @Test
  void export_entryNamedAsTheVolume_isNotWrittenOverIt() throws IOException {
    try (Upcall store = create()) {
      Files.createLink(folder.resolve("hard"), folder.resolve("v.upcall"));
      Files.createSymbolicLink(folder.resolve("soft"), Path.of("v.upcall"));
      store.writeString("/v.upcall", "evil");
      store.writeString("/hard", "evil");
      store.symbolicLink("/soft", "evil");
      store.writeString("/other", "good");
      TreeSummary done = export(store, ".", Present.REPLACE);
      assertEquals(3, done.problemCount(), done::toString);
      assertEquals("good", Files.readString(folder.resolve("other")));
      assertTrue(Files.isSameFile(folder.resolve("hard"), folder.resolve("v.upcall")));
      assertEquals(Path.of("v.upcall"), Files.readSymbolicLink(folder.resolve("soft")));
    }
    try (Upcall again = Upcall.open(folder.resolve("v.upcall"), SMALL)) {
      assertEquals("good", again.readString("/other"));
    }
  }

  @Test
  void export_fileOfAnother_runsWithNobodysRights() throws IOException {
    try (Upcall store = create()) {
      store.writeString("/f", "x");
      store.createDirectory("/d");
      for (String path : List.of("/f", "/d")) {
        store.setMetadata(
            path,
            LinkPolicy.FOLLOW,
            MetadataChange.NONE.withMode(06755).withOwner(12345L | 12346L << 32));
      }
      TreeSummary done = export(store, "out", Present.KEEP);
      for (String name : List.of("f", "d")) {
        Path made = folder.resolve("out").resolve(name);
        int mode = (int) Files.getAttribute(made, "unix:mode") & 07777;
        boolean given =
            Files.getAttribute(made, "unix:uid").equals(12345)
                && Files.getAttribute(made, "unix:gid").equals(12346);
        assertEquals(given ? 06755 : 0755, mode, name);
        assertEquals(given ? 0 : 2, done.problemCount(), done::toString);
      }
    }
  }

  @Test
  void export_whileItWrites_nothingIsReadableForOthers() throws IOException {
    Path out = folder.resolve("out");
    Set<String> open = new ConcurrentSkipListSet<>();
    try (Upcall store = create()) {
      store.createDirectory("/d");
      store.write("/d/f", new byte[1 << 20]);
      store.write("/there", new byte[1 << 20]);
      for (String path : List.of("/d", "/d/f", "/there")) {
        store.setMetadata(path, LinkPolicy.FOLLOW, MetadataChange.NONE.withMode(0700));
      }
      Files.createDirectory(out);
      Files.writeString(out.resolve("there"), "before");
      Files.setPosixFilePermissions(out.resolve("there"), Set.of(PosixFilePermission.OWNER_READ));
      TreeWatch watch =
          TreeWatch.none()
              .withCancelled(
                  () -> {
                    readable(out, open);
                    return false;
                  });
      ExportOptions options = ExportOptions.of(StorePath.ROOT, out).withPresent(Present.REPLACE);
      assertTrue(Trees.exporting(store, options, watch).run().isWhole());
    }
    assertEquals(Set.of(), open);
  }

  /** Adds what others may read below a folder. */
  private static void readable(Path out, Set<String> open) {
    try (Stream<Path> all = Files.list(out)) {
      for (Path path : all.toList()) {
        if (Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS)
            .contains(PosixFilePermission.OTHERS_READ)) {
          open.add(path.getFileName().toString());
        } else if (Files.isDirectory(path)) {
          readable(path, open);
        }
      }
    } catch (IOException | UncheckedIOException moved) {
      // A part got its name meanwhile.
      return;
    }
  }

  @Test
  void export_folderThatWasThere_keepsItsOwner() throws IOException {
    Path out = Files.createDirectory(folder.resolve("out"));
    Object owner = Files.getAttribute(out, "unix:uid");
    try (Upcall store = create()) {
      store.setMetadata(
          "/", LinkPolicy.FOLLOW, MetadataChange.NONE.withOwner(12345L).withModifiedNanos(0));
      assertTrue(export(store, "out", Present.KEEP).isWhole());
    }
    assertEquals(owner, Files.getAttribute(out, "unix:uid"));
    assertEquals(FileTime.fromMillis(0), Files.getLastModifiedTime(out));
  }
}
