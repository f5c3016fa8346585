package dev.upcall.io;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Which process has a file locked. The kernel knows it for each descriptor, but keeps no process
 * for locks of open file descriptions, so all processes are looked through: for messages only.
 * Blocks: a helper thread's work.
 */
final class LockHolder {
  private static final Path PROCESSES = Path.of("/proc");

  private LockHolder() {}

  /** In words; of processes of other users, or outside a container, nothing can be seen. */
  static String of(Path locked) {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      Object file = key(locked);
      for (Path process : processes) {
        if (file != null && hasLocked(process, file)) {
          return named(Long.parseLong(process.getFileName().toString()));
        }
      }
    } catch (IOException | DirectoryIteratorException noSight) {
      System.getLogger(LockHolder.class.getName())
          .log(System.Logger.Level.DEBUG, "processes cannot be looked through", noSight);
    }
    return "a process that cannot be seen from here";
  }

  private static String named(long pid) {
    if (pid == ProcessHandle.current().pid()) {
      return "another store in this process";
    }
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().command())
        .map(command -> "process " + pid + " (" + Path.of(command).getFileName() + ")")
        .orElse("process " + pid);
  }

  private static boolean hasLocked(Path process, Object file) {
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path descriptor : descriptors) {
        Path facts = process.resolve("fdinfo").resolve(descriptor.getFileName());
        if (file.equals(key(descriptor)) && Files.readString(facts).contains("\nlock:")) {
          return true;
        }
      }
    } catch (IOException | DirectoryIteratorException anothers) {
      // Another user's, or it has ended: nothing is known of it.
      return false;
    }
    return false;
  }

  /** What tells files apart; null for a descriptor that was closed meanwhile. */
  private static @Nullable Object key(Path path) {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (IOException gone) {
      return null;
    }
  }
}
