package dev.upcall.nio.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.io.InsecureRecursiveDeleteException;
import com.google.common.io.MoreFiles;
import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallSnapshot;
import dev.upcall.fileman.blocking.EachEngine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Open directories against somebody who changes what their paths lead to. */
class SecureDirectoryTest {
  private static final int ROUNDS = 15;

  @TempDir Path folder;

  private Upcall store(Engine engine) {
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(16L << 20).withEngine(engine);
    return Upcall.create(folder.resolve(engine + ".upcall"), config);
  }

  private static void fill(Path directory) throws IOException {
    Files.createDirectories(directory);
    for (int i = 0; i < 5; i++) {
      Files.writeString(directory.resolve("f" + i), "text " + i);
    }
  }

  private static long entries(Path directory) throws IOException {
    try (var entries = Files.list(directory)) {
      return entries.count();
    }
  }

  /** Between any two of its steps a removal finds something else behind its path. */
  @ParameterizedTest
  @EachEngine
  void aRemovalStaysInTheDirectoryThatItOpened(Engine engine) throws IOException {
    try (Upcall store = store(engine);
        FileSystem system = store.fileSystem()) {
      Path tree = system.getPath("/tree");
      Path precious = system.getPath("/precious");
      fill(tree.resolve("sub"));
      fill(precious);
      try (SecureDirectoryStream<Path> top = SecureCalls.open(tree);
          SecureDirectoryStream<Path> sub = top.newDirectoryStream(system.getPath("sub"))) {
        Files.move(tree.resolve("sub"), system.getPath("/away"));
        Files.createSymbolicLink(tree.resolve("sub"), precious);
        for (Path entry : sub) {
          assertTrue(Files.exists(entry), "by its path it would be that of the other directory");
          sub.deleteFile(entry.getFileName());
        }
        assertEquals(0, entries(system.getPath("/away")));
        assertEquals(5, entries(precious));
        assertThrows(
            FileSystemException.class, () -> top.deleteDirectory(system.getPath("sub")), "a link");
        assertThrows(
            FileSystemException.class,
            () -> top.newDirectoryStream(system.getPath("sub"), LinkOption.NOFOLLOW_LINKS));
        top.deleteFile(system.getPath("sub"));
      }
      assertEquals(0, entries(tree));
      assertEquals(5, entries(precious));
    }
  }

  /** Guava deletes a tree, and asks for no leave to do it insecurely, while somebody swaps. */
  @ParameterizedTest
  @EachEngine
  void nobodyWhoSwapsLeadsARemovalAstray(Engine engine) throws Exception {
    try (Upcall store = store(engine);
        FileSystem system = store.fileSystem()) {
      Path tree = system.getPath("/tree");
      Path precious = system.getPath("/precious");
      Path fresh = system.getPath("/fresh");
      fill(precious);
      AtomicBoolean over = new AtomicBoolean();
      Thread attacker = Thread.ofPlatform().start(() -> swapAll(tree, precious, over));
      try {
        for (int round = 0; round < ROUNDS; round++) {
          fill(fresh.resolve("sub"));
          Files.move(fresh, tree);
          removeAll(tree);
          assertEquals(5, entries(precious), "round " + round);
        }
      } finally {
        over.set(true);
        attacker.join();
      }
    }
  }

  /** Until nothing is left; who swaps may let it fail again and again, but not for ever. */
  private static void removeAll(Path tree) throws IOException {
    while (Files.exists(tree)) {
      try {
        MoreFiles.deleteRecursively(tree);
      } catch (InsecureRecursiveDeleteException never) {
        throw never;
      } catch (FileSystemException disturbed) {
        // Something came or went between its steps.
      }
    }
  }

  /** Puts a link to what is precious in the place of a directory, and that back. */
  private static void swapAll(Path tree, Path precious, AtomicBoolean over) {
    Path sub = tree.resolve("sub");
    Path aside = tree.resolve("aside");
    while (!over.get()) {
      try {
        Files.move(sub, aside, StandardCopyOption.ATOMIC_MOVE);
        Files.createSymbolicLink(sub, precious);
        Files.delete(sub);
        Files.move(aside, sub, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException gone) {
        // It was deleted meanwhile.
      }
    }
  }

  @Test
  void guavaAsksForNoLeave() throws IOException {
    try (Upcall store = store(Engine.FSM);
        FileSystem system = store.fileSystem()) {
      Path tree = system.getPath("/tree");
      fill(tree.resolve("a/b"));
      fill(tree.resolve("c"));
      Files.createSymbolicLink(tree.resolve("link"), system.getPath("/tree/c"));
      MoreFiles.deleteDirectoryContents(tree.resolve("c"));
      assertEquals(0, entries(tree.resolve("c")));
      MoreFiles.deleteRecursively(tree);
      assertFalse(Files.exists(tree));
    }
  }

  /** A file that is deleted or replaced through an open directory lives on for its channels. */
  @Test
  void whatIsOpenLivesOn() throws IOException {
    try (Upcall store = store(Engine.FSM);
        FileSystem system = store.fileSystem()) {
      Path directory = system.getPath("/d");
      fill(directory);
      try (SecureDirectoryStream<Path> open = SecureCalls.open(directory);
          SeekableByteChannel first = Files.newByteChannel(directory.resolve("f1"));
          SeekableByteChannel second = Files.newByteChannel(directory.resolve("f2"))) {
        open.deleteFile(system.getPath("f1"));
        open.move(system.getPath("f3"), open, system.getPath("f2"));
        assertEquals(6, first.read(ByteBuffer.allocate(10)));
        ByteBuffer into = ByteBuffer.allocate(10);
        assertEquals(6, second.read(into));
        assertEquals('2', into.get(5));
        assertEquals("text 3", Files.readString(directory.resolve("f2")));
      }
      assertEquals(1, entries(system.getPath("/")));
    }
  }

  /** What is hidden in the root is reached by no way around. */
  @Test
  void whatIsHiddenIsNotReached() throws IOException {
    try (Upcall store = store(Engine.FSM);
        FileSystem system = store.fileSystem()) {
      Path directory = Files.createDirectory(system.getPath("/d"));
      Path file = Files.writeString(directory.resolve("f"), "open");
      try (SeekableByteChannel channel = Files.newByteChannel(file);
          SecureDirectoryStream<Path> open = SecureCalls.open(directory);
          SecureDirectoryStream<Path> root = SecureCalls.open(system.getPath("/"))) {
        Files.delete(file);
        assertEquals(4, channel.size());
        assertTrue(store.exists("/.upcall-unlinked"));
        for (String way : new String[] {"../.upcall-unlinked", "./../.upcall-unlinked"}) {
          Path hidden = system.getPath(way);
          assertThrows(NoSuchFileException.class, () -> open.newDirectoryStream(hidden));
        }
        for (String way : new String[] {".upcall-unlinked", "./.upcall-unlinked"}) {
          Path hidden = system.getPath(way);
          assertThrows(NoSuchFileException.class, () -> root.newDirectoryStream(hidden));
          assertFalse(Files.exists(hidden));
        }
      }
    }
  }

  @Test
  void snapshotsHaveOpenDirectoriesToo() throws IOException {
    try (Upcall store = store(Engine.FSM);
        FileSystem system = store.fileSystem()) {
      fill(system.getPath("/d"));
      try (UpcallSnapshot snapshot = store.fsm().snapshot();
          FileSystem then = snapshot.fileSystem();
          SecureDirectoryStream<Path> open = SecureCalls.open(then.getPath("/d"));
          SecureDirectoryStream<Path> now = SecureCalls.open(system.getPath("/d"))) {
        Path name = then.getPath("f1");
        now.deleteFile(system.getPath("f1"));
        BasicFileAttributeView view = open.getFileAttributeView(name, BasicFileAttributeView.class);
        assertEquals(6, view.readAttributes().size());
        try (var channel = open.newByteChannel(name, EnumSet.of(StandardOpenOption.READ))) {
          assertEquals(6, channel.read(ByteBuffer.allocate(10)));
        }
        assertThrows(ReadOnlyFileSystemException.class, () -> open.deleteFile(name));
        assertThrows(ReadOnlyFileSystemException.class, () -> open.deleteDirectory(name));
        assertThrows(ProviderMismatchException.class, () -> now.deleteFile(name));
      }
    }
  }

  @Test
  void itEndsWithItsFileSystem() throws IOException {
    try (Upcall store = store(Engine.FSM)) {
      FileSystem system = store.fileSystem();
      fill(system.getPath("/d"));
      SecureDirectoryStream<Path> open = SecureCalls.open(system.getPath("/d"));
      system.close();
      assertThrows(ClosedFileSystemException.class, () -> open.deleteFile(system.getPath("f1")));
      open.close();
    }
  }

  /** Entries that come by pages are those of the directory that was opened. */
  @Test
  void itsEntriesAreItsOwn() throws IOException {
    try (Upcall store = store(Engine.FSM);
        FileSystem system = store.fileSystem()) {
      Path directory = Files.createDirectory(system.getPath("/d"));
      for (int i = 0; i < 600; i++) {
        Files.createFile(directory.resolve("e" + (1000 + i)));
      }
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
        int count = 0;
        for (Path entry : entries) {
          if (count == 0) {
            Files.move(directory, system.getPath("/moved"));
          }
          assertTrue(entry.startsWith(directory));
          count++;
        }
        assertEquals(600, count);
      }
    }
  }
}
