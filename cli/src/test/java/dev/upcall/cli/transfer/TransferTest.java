package dev.upcall.cli.transfer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Expiry;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.TestShell;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.store.StoreInfo;
import dev.upcall.trees.ImportOptions;
import dev.upcall.trees.TreeProgress;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.TreeWatch;
import dev.upcall.trees.Trees;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Directories into a store and back, as a user does it. */
class TransferTest {
  @TempDir Path here;
  private TestShell shell;

  @BeforeEach
  void shell() {
    shell = new TestShell(here);
  }

  private int run(String... args) {
    return shell.run(args);
  }

  private int importTree(String... more) {
    String[] args = new String[more.length + 4];
    boolean capped = List.of(more).stream().anyMatch(a -> a.startsWith("--volume-size"));
    args[0] = "import";
    args[1] = "tree";
    args[2] = capped ? "--debug" : "--volume-size=256m";
    args[3] = "--json";
    System.arraycopy(more, 0, args, 4, more.length);
    return run(args);
  }

  private String result() {
    return shell.out() + shell.err();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "channel"})
  void everythingComesBackAsItWas(String disk) throws IOException {
    Path tree = here.resolve("tree");
    HostTree.make(tree, 7);
    HostTree.write(tree.resolve("large"), new Random(3), 20_000_003);
    assertEquals(ExitCode.OK, importTree("--disk=" + disk), this::result);
    assertTrue(Files.exists(here.resolve("tree.upcall")));
    assertEquals(ExitCode.OK, run("export", "/", "out", "--disk=" + disk), this::result);
    assertEquals(HostTree.describe(tree), HostTree.describe(here.resolve("out")));
    assertEquals(ExitCode.OK, importTree("--disk=" + disk), this::result);
    assertTrue(shell.out().contains("\"files\":0,\"links\":0,\"directories\":0"), this::result);
  }

  @Test
  void changesAreFoundBySizeAndTime() throws IOException {
    Path tree = here.resolve("tree");
    Files.createDirectories(tree.resolve("sub/gone"));
    Files.writeString(tree.resolve("same"), "same");
    Files.writeString(tree.resolve("grows"), "1");
    Files.writeString(tree.resolve("touched"), "old");
    Files.writeString(tree.resolve("sub/gone/file"), "x");
    Files.writeString(tree.resolve("becomes a directory"), "x");
    Files.createDirectory(tree.resolve("becomes a file"));
    Files.createSymbolicLink(tree.resolve("link"), Path.of("same"));
    assertEquals(ExitCode.OK, importTree(), this::result);

    Files.writeString(tree.resolve("grows"), "12");
    Files.writeString(tree.resolve("touched"), "new");
    Files.setLastModifiedTime(tree.resolve("touched"), FileTime.fromMillis(1_000_000));
    Files.delete(tree.resolve("sub/gone/file"));
    Files.delete(tree.resolve("sub/gone"));
    Files.delete(tree.resolve("becomes a directory"));
    Files.createDirectory(tree.resolve("becomes a directory"));
    Files.writeString(tree.resolve("becomes a directory/inside"), "x");
    Files.delete(tree.resolve("becomes a file"));
    Files.writeString(tree.resolve("becomes a file"), "file");
    Files.delete(tree.resolve("link"));
    Files.createSymbolicLink(tree.resolve("link"), Path.of("grows"));
    Files.setAttribute(tree.resolve("same"), "unix:mode", 0600);
    assertEquals(ExitCode.OK, importTree("--remove-gone"), this::result);
    assertTrue(shell.out().contains("\"files\":4,\"links\":1,\"directories\":1"), this::result);
    assertEquals(ExitCode.OK, run("export", "/", "out"), this::result);
    assertEquals(HostTree.describe(tree), HostTree.describe(here.resolve("out")));
  }

  @Test
  void onlyWhatWasImportedIsRemoved() throws IOException {
    Path tree = here.resolve("tree");
    Files.createDirectories(tree.resolve("sub"));
    Files.writeString(tree.resolve("sub/theirs"), "x");
    Files.writeString(tree.resolve("edited"), "x");
    Files.writeString(tree.resolve("gone"), "x");
    assertEquals(ExitCode.OK, importTree(), this::result);
    assertEquals(ExitCode.OK, shell.input("mine".getBytes()).run("put", "-", "/sub/mine"));
    assertEquals(ExitCode.OK, shell.input("edited here".getBytes()).run("put", "-", "/edited"));
    assertEquals(ExitCode.OK, importTree("--remove-gone"), this::result);
    assertTrue(
        shell.out().contains("\"keptChanged\":[\"" + tree.toAbsolutePath() + "/edited\"]"),
        this::result);
    Files.delete(tree.resolve("sub/theirs"));
    Files.delete(tree.resolve("sub"));
    Files.delete(tree.resolve("edited"));
    Files.delete(tree.resolve("gone"));
    assertEquals(ExitCode.OK, importTree(), this::result);
    assertTrue(shell.out().contains("\"removed\":0"), this::result);
    assertEquals(ExitCode.OK, importTree("--remove-gone", "--allow-empty"), this::result);
    assertTrue(shell.out().contains("\"removed\":2"), this::result);
    assertEquals(ExitCode.OK, run("ls", "-R"));
    assertEquals("/edited\n/sub\n/sub/mine\n", shell.out());
  }

  @Test
  void theStoreIsNotImportedIntoItself() throws IOException {
    Path tree = here.resolve("tree");
    Files.createDirectories(tree.resolve("sub"));
    Files.writeString(tree.resolve("file"), "x");
    Path store = tree.resolve("sub/s.upcall");
    Files.createSymbolicLink(here.resolve("other way"), Path.of("tree/sub"));
    assertEquals(ExitCode.OK, importTree("--store", "other way/../sub/./s.upcall"), this::result);
    Files.createLink(tree.resolve("hard link"), store);
    assertEquals(ExitCode.OK, importTree("--store", "tree/sub/s.upcall"), this::result);
    assertEquals(ExitCode.OK, run("ls", "-R", "--store", "tree/sub/s.upcall"), this::result);
    assertEquals("/file\n/sub\n", shell.out());
  }

  @Test
  void whatCannotBeKeptIsReported() throws Exception {
    Path tree = Files.createDirectory(here.resolve("tree"));
    Files.writeString(tree.resolve("good"), "x");
    Process made =
        new ProcessBuilder(
                "sh",
                "-c",
                "mkfifo fifo && : > \"$(printf 'bad\\377name')\" && ln -s \"$(printf 'bad\\377name')\" link")
            .directory(tree.toFile())
            .start();
    assertEquals(0, made.waitFor());
    Files.createSymbolicLink(tree.resolve("long link"), Path.of("t/".repeat(300) + "end"));
    assertEquals(ExitCode.PARTLY, importTree(), this::result);
    assertTrue(shell.out().contains("\"problemCount\":4"), this::result);
    assertTrue(shell.out().contains("is a fifo"), this::result);
    assertTrue(shell.out().contains("not valid UTF-8"), this::result);
    assertEquals(ExitCode.OK, run("ls"));
    assertEquals("good\n", shell.out());
  }

  @Test
  void exportNeverLeavesItsTarget() throws IOException {
    Path tree = here.resolve("tree");
    Files.createDirectories(tree.resolve("a"));
    Files.writeString(tree.resolve("a/file"), "new");
    Files.writeString(tree.resolve("b"), "new");
    assertEquals(ExitCode.OK, importTree(), this::result);
    Path outside = Files.createDirectory(here.resolve("outside"));
    Files.writeString(outside.resolve("b"), "old");
    Path out = Files.createDirectory(here.resolve("out"));
    Files.createSymbolicLink(out.resolve("a"), outside);
    Files.createSymbolicLink(out.resolve("b"), outside.resolve("b"));
    assertEquals(ExitCode.FAILED, run("export", "/", "out"), this::result);
    assertTrue(shell.err().contains("--overwrite"), this::result);
    assertEquals(ExitCode.PARTLY, run("export", "/", "out", "--overwrite"), this::result);
    assertFalse(Files.exists(outside.resolve("file"), LinkOption.NOFOLLOW_LINKS));
    assertEquals("old", Files.readString(outside.resolve("b")));
    assertEquals("new", Files.readString(out.resolve("b")));
    assertFalse(Files.isSymbolicLink(out.resolve("b")));
  }

  @Test
  void oneFileIsExportedUnderItsName() throws IOException {
    Path tree = Files.createDirectory(here.resolve("tree"));
    HostTree.write(tree.resolve("file"), new Random(1), 100_000);
    assertEquals(ExitCode.OK, importTree("--into", "/some/where"), this::result);
    assertEquals(ExitCode.OK, run("export", "/some/where/file", "out"), this::result);
    assertArrayEquals(
        Files.readAllBytes(tree.resolve("file")), Files.readAllBytes(here.resolve("out/file")));
  }

  /** An expiry is an attribute of the host's file, where there are such. */
  @Test
  void timesToLiveComeAlong() throws IOException {
    Path tree = Files.createDirectory(here.resolve("tree"));
    HostTree.write(tree.resolve("small"), new Random(1), 100);
    HostTree.write(tree.resolve("large"), new Random(1), 300_000);
    HostTree.write(tree.resolve("stays"), new Random(1), 100);
    assertEquals(ExitCode.OK, importTree(), this::result);
    long moment = 3_000_000_000_123_456_789L;
    Path volume = here.resolve("tree.upcall");
    try (Upcall store = Upcall.open(volume, UpcallConfig.DEFAULT)) {
      for (String path : List.of("/small", "/large")) {
        store.setMetadata(
            path, LinkPolicy.FOLLOW, MetadataChange.NONE.withExpiry(new Expiry.At(moment)));
      }
    }
    boolean kept = Files.getFileStore(here).supportsFileAttributeView("user");
    int exported = run("export", "/", "out");
    if (!kept) {
      assertEquals(ExitCode.PARTLY, exported, this::result);
      assertTrue(result().contains("its expiry is not kept"), this::result);
      return;
    }
    assertEquals(ExitCode.OK, exported, this::result);
    Path large = here.resolve("out/large");
    assertEquals(
        "2065-01-24T05:20:00.123456789Z",
        new String(
            (byte[]) Files.getAttribute(large, "user:upcall.expires"), StandardCharsets.US_ASCII));
    assertEquals(
        ExitCode.OK,
        run("import", "out", "--into", "/back", "--store", "tree.upcall"),
        this::result);
    try (Upcall store = Upcall.open(volume, UpcallConfig.DEFAULT)) {
      assertEquals(moment, store.stat("/back/small").times().expiresNanos());
      assertEquals(moment, store.stat("/back/large").times().expiresNanos());
      assertFalse(store.stat("/back/stays").times().hasExpiry());
    }
    Files.setAttribute(
        large, "user:upcall.expires", ByteBuffer.wrap("soon".getBytes(StandardCharsets.US_ASCII)));
    assertEquals(
        ExitCode.PARTLY,
        run("import", "out", "--into", "/again", "--store", "tree.upcall"),
        this::result);
    assertTrue(result().contains("is no moment: soon"), this::result);
  }

  @Test
  void aFullVolumeEndsAnImportWithWords() throws IOException {
    Path tree = Files.createDirectory(here.resolve("tree"));
    Files.writeString(tree.resolve("a small"), "x");
    HostTree.write(tree.resolve("large"), new Random(1), 80 << 20);
    assertEquals(ExitCode.FAILED, importTree("--volume-size=64m"), this::result);
    assertTrue(shell.err().contains("volume full"), this::result);
    assertEquals(ExitCode.OK, run("cat", "/a small"), this::result);
    assertEquals("x", shell.out());
    assertEquals(ExitCode.OK, importTree("--volume-size=256m"), this::result);
  }

  /** Several large files are read at once: those that fit are kept, and of the others nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"fsm", "threads"})
  void ofFilesThatDoNotAllFitSomeAreKeptWhole(String engine) throws IOException {
    Path tree = Files.createDirectory(here.resolve("tree"));
    long mib = 1 << 20;
    byte[] piece = new byte[1 << 20];
    new Random(7).nextBytes(piece);
    for (int i = 0; i < 6; i++) {
      try (OutputStream file = Files.newOutputStream(tree.resolve("large" + i))) {
        for (int j = 0; j < 48; j++) {
          piece[j] = (byte) (i + j);
          file.write(piece);
        }
      }
    }
    Files.writeString(tree.resolve("small"), "x");
    String with = "--engine=" + engine;
    assertEquals(ExitCode.FAILED, importTree("--volume-size=204m", with), this::result);
    assertTrue(shell.err().contains("volume full"), this::result);
    Path volume = here.resolve("tree.upcall");
    // Before anybody opens it again: who may write takes room for removals on a full device.
    assertTrue(diskBytes(volume) < 180 * mib, "takes " + diskBytes(volume));
    assertEquals(ExitCode.OK, run("ls", "/"), this::result);
    List<String> kept = shell.out().lines().toList();
    long large = kept.stream().filter(name -> name.startsWith("large")).count();
    assertEquals(3, large, () -> "kept " + kept);
    try (Upcall store = Upcall.open(volume, UpcallConfig.DEFAULT)) {
      StoreInfo info = store.info();
      assertTrue(info.capBytes() - info.sizeBytes() + info.freeBytes() > 36 * mib, info::toString);
    }
    assertEquals(ExitCode.OK, run("verify"), this::result);
    assertEquals(ExitCode.OK, importTree("--volume-size=400m", with), this::result);
    assertTrue(shell.out().contains("\"unchanged\":" + kept.size() + ","), this::result);
    for (int i = 1; i < 6; i += 4) {
      assertEquals(ExitCode.OK, run("cat", "/large" + i));
      assertArrayEquals(Files.readAllBytes(tree.resolve("large" + i)), shell.outBytes());
    }
  }

  @Test
  void manySmallFilesFillAVolumeAsFarAsTheyFit() throws IOException {
    Path tree = Files.createDirectory(here.resolve("tree"));
    for (int i = 0; i < 1200; i++) {
      Files.write(tree.resolve("file%04d".formatted(i)), new byte[60_000]);
    }
    assertEquals(ExitCode.FAILED, importTree("--volume-size=64m"), this::result);
    assertTrue(shell.err().contains("volume full"), this::result);
    assertEquals(ExitCode.OK, run("ls", "/"), this::result);
    long kept = shell.out().lines().count();
    assertTrue(kept > 600 && kept < 1200, "kept " + kept);
    assertEquals(ExitCode.OK, run("verify"), this::result);
    assertEquals(ExitCode.OK, importTree("--volume-size=256m"), this::result);
    assertTrue(shell.out().contains("\"unchanged\":" + kept + ","), this::result);
  }

  /** Stopped in the middle of several files: each is there whole or holds nothing. */
  @Test
  void aStoppedImportHoldsNothingOfWhatItDidNotKeep() throws IOException {
    Path tree = Files.createDirectory(here.resolve("tree"));
    for (int i = 0; i < 6; i++) {
      HostTree.write(tree.resolve("large" + i), new Random(i), 8 << 20);
    }
    UpcallConfig config = UpcallConfig.DEFAULT.withCapBytes(256L << 20);
    try (Upcall store = Upcall.openOrCreate(here.resolve("s.upcall"), config)) {
      store.checkpoint();
      long taken = store.info().sizeBytes() - store.info().freeBytes();
      TreeProgress meter = new TreeProgress();
      TreeWatch watch =
          TreeWatch.none().withProgress(meter).withCancelled(() -> meter.bytesDone() > 20 << 20);
      TreeSummary summary =
          Trees.importing(store, ImportOptions.of(tree, StorePath.ROOT), watch).run();
      assertEquals(TreeSummary.End.CANCELLED, summary.end());
      store.checkpoint();
      Listing kept = store.list("/", 10);
      assertTrue(kept.entries().size() < 6, () -> "kept " + kept.entries());
      for (FileInfo file : kept.entries()) {
        assertEquals(8 << 20, file.sizeBytes());
        taken += file.sizeBytes();
      }
      // What a checkpoint lets go becomes free a little in each turn.
      long now = 0;
      for (int look = 0; look < 6000 && !(Math.abs(now - taken) < 1 << 20); look++) {
        LockSupport.parkNanos(10_000_000);
        now = store.info().sizeBytes() - store.info().freeBytes();
      }
      assertTrue(Math.abs(now - taken) < 1 << 20, now + " taken instead of " + taken);
    }
  }

  @Test
  void whatIsNotKeptOfFilesIsCounted() throws IOException {
    Path tree = Files.createDirectory(here.resolve("tree"));
    Path first = Files.writeString(tree.resolve("first"), "x");
    Files.createLink(tree.resolve("second"), first);
    Files.writeString(tree.resolve("third"), "y");
    assertEquals(ExitCode.OK, importTree(), this::result);
    assertTrue(shell.out().contains("\"hardLinksNotKept\":2,"), this::result);
    assertTrue(shell.err().contains("2 names of files with several"), this::result);
    assertEquals(ExitCode.OK, importTree(), this::result);
    assertTrue(shell.out().contains("\"hardLinksNotKept\":0,"), this::result);
    assertEquals(
        ExitCode.OK, shell.input(new byte[1]).run("put", "-", "/typed", "--type=text/odd"));
    assertEquals(ExitCode.OK, run("export", "/", "out", "--json"), this::result);
    assertTrue(shell.out().contains("\"attributesNotKept\":1,"), this::result);
    assertTrue(shell.err().contains("1 attributes of files are not kept"), this::result);
  }

  @Test
  void zerosAreHolesAgain() throws IOException {
    Path tree = Files.createDirectory(here.resolve("tree"));
    byte[] content = new byte[20_000_003];
    content[5_000_000] = 1;
    content[5_004_096] = 2;
    Path sparse = Files.write(tree.resolve("sparse"), content);
    Files.write(tree.resolve("zeros"), new byte[300_000]);
    Files.write(tree.resolve("short"), new byte[5]);
    assertEquals(ExitCode.OK, importTree(), this::result);
    assertEquals(ExitCode.OK, run("export", "/", "out"), this::result);
    for (String name : new String[] {"sparse", "zeros", "short"}) {
      assertEquals(-1, Files.mismatch(tree.resolve(name), here.resolve("out").resolve(name)));
    }
    assertTrue(diskBytes(sparse) >= content.length);
    assertTrue(diskBytes(here.resolve("out/sparse")) < 1 << 20);
  }

  /** A file that is larger than the volume, but for its holes. */
  @Test
  void sparseFilesStaySparse() throws IOException {
    Path tree = Files.createDirectory(here.resolve("tree"));
    Path sparse = tree.resolve("sparse");
    try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
      file.setLength((300 << 20) + 5);
      for (int at : new int[] {70_000, 20 << 20, (20 << 20) + 70_000, 200 << 20}) {
        file.seek(at);
        file.write(at % 251 + 1);
      }
    }
    assertEquals(ExitCode.OK, importTree("--volume-size=64m"), this::result);
    assertTrue(diskBytes(here.resolve("tree.upcall")) < 48 << 20);
    assertEquals(ExitCode.OK, run("export", "/", "out"), this::result);
    assertEquals(-1, Files.mismatch(sparse, here.resolve("out/sparse")));
    assertTrue(diskBytes(here.resolve("out/sparse")) < 1 << 20);
    assertEquals(ExitCode.OK, run("verify"), this::result);
  }

  /** What a file takes on its disk, as du(1) says. */
  private static long diskBytes(Path file) throws IOException {
    Process du =
        new ProcessBuilder("du", "--block-size=1", file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = du.inputReader()) {
      return Long.parseLong(said.readLine().split("\\s")[0]);
    }
  }
}
