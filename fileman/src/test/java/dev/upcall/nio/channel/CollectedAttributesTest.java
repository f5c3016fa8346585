package dev.upcall.nio.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallTransaction;
import dev.upcall.config.LockConfig;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.store.TransactionConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Times and permissions that were set before they are committed: everybody sees them. */
class CollectedAttributesTest {
  private static final UpcallConfig SMALL = UpcallConfig.DEFAULT.withMemoryBytes(16L << 20);

  @TempDir Path folder;

  private Upcall store(Engine engine) {
    return Upcall.create(folder.resolve("s.upcall"), SMALL.withEngine(engine));
  }

  @ParameterizedTest
  @EachEngine
  void attributesOfAFileAreJoinedAndSeenAtOnce(Engine engine) throws IOException {
    Set<PosixFilePermission> permissions = PosixFilePermissions.fromString("rw-r-----");
    try (Upcall store = store(engine)) {
      Path root = store.fileSystem().getPath("/");
      for (int i = 0; i < 200; i++) {
        Files.createFile(root.resolve("f" + i));
      }
      Files.write(root.resolve("f0"), new byte[1]); // from now on it is known that there is room
      long before = store.info().scn();
      for (int i = 0; i < 200; i++) {
        Path path = root.resolve("f" + i);
        Files.setLastModifiedTime(path, FileTime.fromMillis(i));
        Files.setPosixFilePermissions(path, permissions);
        Files.setLastModifiedTime(path, FileTime.fromMillis(i + 1));
      }
      assertTrue(store.info().scn() - before < 500, "600 changes joined");
      for (int i = 0; i < 200; i++) {
        Path path = root.resolve("f" + i);
        Files.setLastModifiedTime(path, FileTime.fromMillis(i + 2));
        if (i % 2 == 0) {
          assertEquals(FileTime.fromMillis(i + 2), Files.getLastModifiedTime(path));
        } else {
          assertEquals(i + 2, store.stat("/f" + i).times().modifiedNanos() / 1_000_000);
        }
        assertEquals(permissions, Files.getPosixFilePermissions(path));
      }
    }
    try (Upcall again = Upcall.open(folder.resolve("s.upcall"), SMALL.withEngine(engine))) {
      for (int i = 0; i < 200; i++) {
        assertEquals(i + 2, again.stat("/f" + i).times().modifiedNanos() / 1_000_000);
        assertEquals(0640, again.stat("/f" + i).mode());
      }
    }
  }

  @ParameterizedTest
  @EachEngine
  void copiesFromTheHostAreWholeWithTheirAttributes(Engine engine) throws IOException {
    Path host = Files.createDirectory(folder.resolve("host"));
    Random random = new Random(5);
    for (int i = 0; i < 60; i++) {
      byte[] content = new byte[random.nextInt(30_000)];
      random.nextBytes(content);
      Path file = Files.write(host.resolve("f" + i), content);
      Files.setLastModifiedTime(file, FileTime.fromMillis(1000 + i));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r-x--x--x"));
    }
    try (Upcall store = store(engine)) {
      Path root = store.fileSystem().getPath("/");
      for (int i = 0; i < 60; i++) {
        Path copy = root.resolve("f" + i);
        Files.copy(host.resolve("f" + i), copy, StandardCopyOption.COPY_ATTRIBUTES);
        if (i % 7 == 0) {
          Files.delete(copy);
          Files.copy(host.resolve("f" + i), copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
        if (i % 5 == 0) {
          Files.move(copy, root.resolve("moved"));
          Files.move(root.resolve("moved"), copy);
        }
      }
    }
    try (Upcall again = Upcall.open(folder.resolve("s.upcall"), SMALL.withEngine(engine))) {
      for (int i = 0; i < 60; i++) {
        assertArrayEquals(Files.readAllBytes(host.resolve("f" + i)), again.readAllBytes("/f" + i));
        assertEquals(1000 + i, again.stat("/f" + i).times().modifiedNanos() / 1_000_000);
        assertEquals(0511, again.stat("/f" + i).mode());
      }
    }
  }

  /** A transaction has the file: what is set waits for its end, and its caller does not. */
  @Test
  void attributesOfAFileInATransactionAreSetBehindIt() throws IOException {
    UpcallConfig impatient =
        SMALL.withTransactions(
            TransactionConfig.DEFAULT.withLocks(
                LockConfig.DEFAULT.withTimeout(Duration.ofMillis(1))));
    try (Upcall store = Upcall.create(folder.resolve("s.upcall"), impatient)) {
      Path path = Files.write(store.fileSystem().getPath("/f"), new byte[1]);
      try (UpcallTransaction transaction = store.fsm().begin()) {
        transaction.write("/f", new byte[] {1, 2, 3});
        Files.setLastModifiedTime(path, FileTime.fromMillis(4));
        assertEquals(1, store.readAllBytes("/f").length);
        transaction.commit();
      }
      assertTimeoutPreemptively(
          Duration.ofSeconds(60),
          () -> {
            while (!Files.getLastModifiedTime(path).equals(FileTime.fromMillis(4))) {
              Thread.onSpinWait();
            }
          });
      assertEquals(3, Files.size(path));
    }
  }
}
