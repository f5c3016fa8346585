package dev.upcall.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Lets other threads go ahead of the JVM's compilers, where the program that starts Java asks for
 * it. Linux ends a durable write on a worker that is bound to the processor of the device's
 * interrupt; where a compiler has just been given that processor, the worker waits for the next
 * tick, 4 ms, although it has to run for microseconds only. Who wakes goes first where his time
 * slice is shorter, and so the compilers get a longer one than the usual 1 to 3 ms. They keep their
 * share of the processors, their priority and the choice of processors. The scheduler knows slices
 * of single threads since Linux 6.12; an older one takes no notice.
 *
 * <p>It concerns the whole JVM, so a store never does it on its own: {@code -D}{@value
 * #PROPERTY}{@code =true} asks for it, as the launcher does for {@code serve} and {@code bench}.
 */
final class CompilerSlices {
  /** The system property that asks for it. */
  static final String PROPERTY = "upcall.compilersGiveWay";

  /**
   * Long beside the usual slices. Not as long as Linux allows, 100 ms: who has waited may be ahead
   * of the others by two slices.
   */
  static final long SLICE_NANOS = 20_000_000;

  private static final Path THREADS = Path.of("/proc/self/task");

  private CompilerSlices() {}

  /** Whether this JVM was asked to, and has a second processor for those who go first. */
  static boolean isWanted() {
    return Boolean.getBoolean(PROPERTY) && Runtime.getRuntime().availableProcessors() > 1;
  }

  /**
   * Gives the compilers that there are a long slice, unless they have a longer one; those that
   * these start later have it from them. Where that is not possible nothing happens. May block for
   * some 0.1 ms; any thread.
   */
  static void lengthen(LibC calls) {
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
      for (Path thread : threads) {
        if (isCompiler(thread) && calls.slice(number(thread)) < SLICE_NANOS) {
          // A refusal, as in a container that allows no such call, leaves the slice as it is.
          int ignored = calls.setSlice(number(thread), SLICE_NANOS);
        }
      }
    } catch (IOException | DirectoryIteratorException noThreads) {
      // No Linux, or no /proc: likewise.
    }
  }

  /** Whether a thread is one of HotSpot's compilers, by the name that the kernel has of it. */
  static boolean isCompiler(Path thread) {
    try {
      String name = Files.readString(thread.resolve("comm"), UTF_8);
      return name.startsWith("C1 CompilerThre") || name.startsWith("C2 CompilerThre");
    } catch (IOException gone) {
      // It has ended since the directory was read.
      return false;
    }
  }

  /** The number of a thread. */
  static int number(Path thread) {
    return Integer.parseInt(thread.getFileName().toString());
  }
}
