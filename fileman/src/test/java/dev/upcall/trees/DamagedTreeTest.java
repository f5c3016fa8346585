package dev.upcall.trees;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.OpenMode;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.fileman.blocking.TestedStore;
import dev.upcall.request.FileRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Trees of a store in which blocks are damaged: each costs its own file alone. */
class DamagedTreeTest {
  private static final int FILES = 12;
  private static final int FILE_BYTES = 300_000;
  private static final int DAMAGED_AT = 131_072;

  @TempDir Path folder;

  private Path volume() {
    return folder.resolve("v.upcall");
  }

  private static byte[] content(int file) {
    byte[] bytes = new byte[FILE_BYTES];
    new Random(file).nextBytes(bytes);
    return bytes;
  }

  /** Files of which one has a damaged block in its midst. */
  private void makeDamaged(TestedStore tested, int file) throws IOException {
    try (Upcall store = Upcall.create(volume(), tested.config())) {
      store.createDirectories("/d/e");
      for (int i = 0; i < FILES; i++) {
        store.write("/d/e/f" + i, content(i));
      }
      store.symbolicLink("/d/link", "e/f3");
    }
    damage(content(file), DAMAGED_AT);
  }

  private void damage(byte[] content, int at) throws IOException {
    byte[] image = Files.readAllBytes(volume());
    int found = -1;
    for (int block = 0; block < image.length && found < 0; block += 4096) {
      if (Arrays.equals(image, block, block + 4096, content, at, at + 4096)) {
        found = block;
      }
    }
    assertTrue(found > 0, "a whole block of the file was not found on the volume");
    try (FileChannel channel = FileChannel.open(volume(), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), found + 100);
    }
  }

  private static void checkProblem(TreeSummary summary, String path) {
    assertEquals(TreeSummary.End.COMPLETE, summary.end());
    assertEquals(1, summary.problemCount(), summary::toString);
    TreeProblem problem = summary.problems().getFirst();
    assertEquals(path, problem.path());
    assertEquals(1, problem.unreadable().size(), problem::toString);
    TreeProblem.Range range = problem.unreadable().getFirst();
    // The engine of threads reads and compares 64 KiB at once.
    assertTrue(range.offset() <= DAMAGED_AT && range.bytes() <= 65_536, range::toString);
    assertTrue(range.offset() + range.bytes() >= DAMAGED_AT + 4096, range::toString);
    assertTrue(problem.reason().startsWith(range + " cannot be read: "), problem::reason);
    assertTrue(
        problem.reason().contains("content of " + path + " from its byte " + DAMAGED_AT + " on,"),
        problem::reason);
    assertEquals(FILES - 1, summary.files());
    assertEquals((FILES - 1L) * FILE_BYTES, summary.bytes());
  }

  @ParameterizedTest
  @EachEngine
  void export_oneBlockDamaged_writesAllOtherFiles(TestedStore tested) throws IOException {
    makeDamaged(tested, 5);
    for (boolean readOnly : new boolean[] {false, true}) {
      Path out = folder.resolve("out" + readOnly);
      try (Upcall store = Upcall.open(volume(), tested.config().withReadOnly(readOnly))) {
        checkProblem(
            Trees.exporting(store, ExportOptions.of(StorePath.of("/d"), out)).run(), "/d/e/f5");
      }
      for (int i = 0; i < FILES; i++) {
        Path file = out.resolve("e/f" + i);
        if (i == 5) {
          assertFalse(Files.exists(file), "a file with bytes missing has its name");
        } else {
          assertArrayEquals(content(i), Files.readAllBytes(file));
        }
      }
      try (var left = Files.list(out.resolve("e"))) {
        assertEquals(FILES - 1, left.count(), "a part of a file was left");
      }
    }
  }

  @ParameterizedTest
  @EachEngine
  void export_overwritingAndDamaged_leavesTheFileThatIsThere(TestedStore tested)
      throws IOException {
    makeDamaged(tested, 5);
    Path there = Files.createDirectories(folder.resolve("out/e")).resolve("f5");
    Files.writeString(there, "an older one");
    ExportOptions options =
        ExportOptions.of(StorePath.of("/d"), folder.resolve("out")).withPresent(Present.REPLACE);
    try (Upcall store = Upcall.open(volume(), tested.config())) {
      checkProblem(Trees.exporting(store, options).run(), "/d/e/f5");
    }
    assertEquals("an older one", Files.readString(there));
  }

  @ParameterizedTest
  @EachEngine
  void copying_oneBlockDamaged_copiesAllOtherFiles(TestedStore tested) throws IOException {
    makeDamaged(tested, 7);
    try (Upcall store = Upcall.open(volume(), tested.config());
        Upcall other = Upcall.create(folder.resolve("other.upcall"), tested.config())) {
      CopyOptions here = CopyOptions.of(StorePath.of("/d"), StorePath.of("/copy"));
      for (Upcall target : List.of(store, other)) {
        checkProblem(Trees.copying(store, target, here).run(), "/d/e/f7");
        assertFalse(target.exists("/copy/e/f7"));
        assertArrayEquals(content(8), target.readAllBytes("/copy/e/f8"));
        assertEquals("e/f3", target.readLink("/copy/link"));
      }
    }
  }

  /** A file whose first bytes were removed: its blocks are no blocks of its content any more. */
  @ParameterizedTest
  @EachEngine
  void read_editedFileDamaged_namesThePlaceInItsContent(TestedStore tested) throws IOException {
    int cut = 10_000;
    try (Upcall store = Upcall.create(volume(), tested.config())) {
      store.write("/f", content(1));
      store.cut("/f", 0, cut);
    }
    damage(content(1), DAMAGED_AT);
    try (Upcall store = Upcall.open(volume(), tested.config())) {
      UpcallException.Corrupt thrown =
          assertThrows(UpcallException.Corrupt.class, () -> store.readAllBytes("/f"));
      assertEquals(new Failure.Corrupt.InFile("/f", DAMAGED_AT - cut), thrown.failure().inFile());
    }
  }

  /** An edit reads the block in which it begins. */
  @ParameterizedTest
  @EachEngine
  void splice_intoADamagedBlock_namesTheFile(TestedStore tested) throws IOException {
    makeDamaged(tested, 3);
    try (Upcall store = Upcall.open(volume(), tested.config())) {
      UpcallException.Corrupt thrown =
          assertThrows(
              UpcallException.Corrupt.class,
              () -> store.splice("/d/e/f3", DAMAGED_AT + 10, 0, new byte[] {1}));
      assertTrue(thrown.getMessage().contains("/d/e/f3"), thrown::getMessage);
      UpcallException.Corrupt byHandle =
          assertThrows(
              UpcallException.Corrupt.class,
              () -> {
                try (Upcall.RandomAccess handle = store.open("/d/e/f3", OpenMode.EXISTING)) {
                  handle.splice(DAMAGED_AT + 10, 0, ByteBuffer.wrap(new byte[] {1}));
                  handle.flush();
                }
              });
      assertTrue(byHandle.getMessage().contains("/d/e/f3"), byHandle::getMessage);
      assertArrayEquals(content(4), store.readAllBytes("/d/e/f4"));
    }
  }

  /** Of a range that does not begin with a block the bytes are read. */
  @ParameterizedTest
  @EachEngine
  void copyRange_ofADamagedBlock_namesTheSource(TestedStore tested) throws IOException {
    makeDamaged(tested, 3);
    FileRequest.Range damaged = new FileRequest.Range("/d/e/f3", DAMAGED_AT + 10, 100);
    try (Upcall store = Upcall.open(volume(), tested.config())) {
      for (String to : List.of("/d/e/f4", "/d/e/f3")) {
        UpcallException.Corrupt thrown =
            assertThrows(
                UpcallException.Corrupt.class,
                () -> store.copyRange(damaged, to, 5, FileRequest.Placing.INSERT));
        assertEquals(
            new Failure.Corrupt.InFile("/d/e/f3", DAMAGED_AT), thrown.failure().inFile(), to);
      }
      assertArrayEquals(content(4), store.readAllBytes("/d/e/f4"));
    }
  }
}
