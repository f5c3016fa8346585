package dev.upcall.trees;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileInfo;
import dev.upcall.OpenMode;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.fileman.blocking.TestedStore;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** A file that was edited in many places lies together again, whoever uses it meanwhile. */
class FileRewriteTest {
  private static final int SIZE = 3_000_000;

  @TempDir Path folder;

  private final Random random = new Random(18);

  private byte[] edited(Upcall store, byte[] before, int edits) {
    byte[] content = before;
    try (Upcall.RandomAccess file = store.open("/f", OpenMode.EXISTING)) {
      for (int i = 0; i < edits; i++) {
        byte[] some = new byte[1 + random.nextInt(300)];
        random.nextBytes(some);
        int at = random.nextInt(content.length);
        file.insert(at, ByteBuffer.wrap(some));
        file.flush();
        byte[] after = new byte[content.length + some.length];
        System.arraycopy(content, 0, after, 0, at);
        System.arraycopy(some, 0, after, at, some.length);
        System.arraycopy(content, at, after, at + some.length, content.length - at);
        content = after;
      }
    }
    return content;
  }

  @ParameterizedTest
  @EachEngine
  void aFileLiesTogetherAgain(TestedStore tested) throws Exception {
    byte[] content = new byte[SIZE];
    random.nextBytes(content);
    Path volume = folder.resolve("v.upcall");
    try (Upcall store = Upcall.create(volume, tested.config())) {
      store.write("/f", content);
      content = edited(store, content, 150);
      FileInfo before = store.stat("/f");
      assertTrue(before.stored().pieces() > 250, before::toString);
      try (Upcall.ReadStream reader = store.read("/f");
          FileRewrite rewrite = FileRewrite.of(store, "/f")) {
        assertEquals(content.length, rewrite.totalBytes());
        assertFalse(rewrite.step(), "one step is enough");
        assertEquals(content.length, rewrite.doneBytes());
        assertArrayEquals(content, reader.readAllBytes());
      }
      FileInfo after = store.stat("/f");
      assertEquals(1, after.stored().pieces());
      assertEquals(before.times(), after.times());
      try (FileRewrite again = FileRewrite.of(store, "/f")) {
        assertFalse(again.step());
      }
      assertEquals(after, store.stat("/f"), "nothing was left to do");
      assertThrows(UpcallException.NotFound.class, () -> FileRewrite.of(store, "/g"));
    }
    try (Upcall store = Upcall.open(volume, tested.config())) {
      assertArrayEquals(content, store.readAllBytes("/f"));
    }
  }

  /** Steps that somebody undoes are done again, and nobody's change is lost. */
  @ParameterizedTest
  @EachEngine
  void othersGoOnEditing(TestedStore tested) throws Exception {
    byte[] content = new byte[SIZE];
    random.nextBytes(content);
    try (Upcall store = Upcall.create(folder.resolve("v.upcall"), tested.config())) {
      store.write("/f", content);
      byte[] begun = edited(store, content, 20);
      CompletableFuture<byte[]> editing =
          CompletableFuture.supplyAsync(() -> edited(store, begun, 60));
      try (FileRewrite rewrite = FileRewrite.of(store, "/f")) {
        while (rewrite.step()) {
          assertTrue(rewrite.doneBytes() <= rewrite.totalBytes());
        }
      }
      assertArrayEquals(editing.get(), store.readAllBytes("/f"));
    }
  }
}
