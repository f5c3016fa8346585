package dev.upcall.io.volume;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which process has a file locked. The kernel knows it for each descriptor, but keeps no process
 * for locks of open file descriptions, so all processes are looked through. Blocks: a helper
 * thread's work.
 */
final class LockHolder {
  private static final Path PROCESSES = Path.of("/proc");

  /** Not a FLOCK, which tells who is next in line. */
  private static final String ONE = "(?m)^lock:.*\\s(OFDLCK|POSIX)\\s";

  private static final Pattern ANY = Pattern.compile(ONE);
  private static final Pattern WRITE = Pattern.compile(ONE + ".*\\sWRITE\\s");

  private LockHolder() {}

  /** In words; of processes of other users, or outside a container, nothing can be seen. */
  static String of(Path locked) {
    List<ProcessHandle> holders = all(locked, ANY);
    return holders.isEmpty()
        ? "a process that cannot be seen from here"
        : named(holders.getFirst());
  }

  /**
   * All processes that can be seen to have it locked to write, each as it was before that was seen:
   * should its number be given to another one, the handle is not that one's.
   */
  static List<ProcessHandle> writers(Path locked) {
    return all(locked, WRITE);
  }

  private static List<ProcessHandle> all(Path locked, Pattern kind) {
    List<ProcessHandle> found = new ArrayList<>();
    Object file = key(locked);
    if (file == null) {
      return found;
    }
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      for (Path process : processes) {
        Optional<ProcessHandle> handle =
            ProcessHandle.of(Long.parseLong(process.getFileName().toString()));
        if (handle.isPresent() && hasLocked(process, file, kind)) {
          found.add(handle.get());
        }
      }
    } catch (IOException | DirectoryIteratorException noSight) {
      System.getLogger(LockHolder.class.getName())
          .log(System.Logger.Level.DEBUG, "processes cannot be looked through", noSight);
    }
    return found;
  }

  private static String named(ProcessHandle process) {
    if (process.pid() == ProcessHandle.current().pid()) {
      return "another store in this process";
    }
    return process
        .info()
        .command()
        .map(command -> "process %d (%s)".formatted(process.pid(), Path.of(command).getFileName()))
        .orElse("process " + process.pid());
  }

  private static boolean hasLocked(Path process, Object file, Pattern kind) {
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path descriptor : descriptors) {
        Path facts = process.resolve("fdinfo").resolve(descriptor.getFileName());
        if (file.equals(key(descriptor)) && kind.matcher(Files.readString(facts)).find()) {
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
  static @Nullable Object key(Path path) {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (IOException gone) {
      return null;
    }
  }
}
