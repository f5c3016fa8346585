package dev.upcall.bench.edits;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * {@code fallocate} with {@code FALLOC_FL_INSERT_RANGE}: Linux moves what is behind a place by
 * whole blocks, which only some file systems can (ext4, XFS). Any thread.
 */
final class InsertRange {
  private static final int READ_AND_WRITE = 2;
  private static final int INSERT_RANGE = 0x20;
  private static final int TRIED_BYTES = 1 << 20;

  private InsertRange() {}

  /** Whether files in a directory can be edited so; tries it. */
  static boolean isKnownIn(Path directory) throws IOException {
    Path file = Files.createTempFile(directory, "insert-range", "");
    try {
      Files.write(file, new byte[TRIED_BYTES]);
      return call(file, TRIED_BYTES / 2, TRIED_BYTES / 4) == 0;
    } finally {
      Files.delete(file);
    }
  }

  /** Puts zeros before what is at a place; both in whole blocks of the file system. */
  static void insert(Path file, long offset, long bytes) throws IOException {
    if (call(file, offset, bytes) != 0) {
      throw new IOException("fallocate did not insert %d bytes at %d".formatted(bytes, offset));
    }
  }

  private static int call(Path file, long offset, long bytes) throws IOException {
    int opened = -1;
    try (Arena arena = Arena.ofConfined()) {
      opened = (int) Calls.OPEN.invokeExact(arena.allocateFrom(file.toString()), READ_AND_WRITE);
      if (opened < 0) {
        throw new IOException("cannot open " + file);
      }
      return (int) Calls.FALLOCATE.invokeExact(opened, INSERT_RANGE, offset, bytes);
    } catch (IOException failed) {
      throw failed;
    } catch (Throwable impossible) {
      throw new IllegalStateException("fallocate cannot be called", impossible);
    } finally {
      close(opened);
    }
  }

  private static void close(int opened) {
    if (opened >= 0) {
      try {
        int _ = (int) Calls.CLOSE.invokeExact(opened);
      } catch (Throwable impossible) {
        throw new IllegalStateException("close cannot be called", impossible);
      }
    }
  }

  /** Found when they are first called. */
  private static final class Calls {
    private static final Linker LINKER = Linker.nativeLinker();

    static final MethodHandle OPEN =
        LINKER.downcallHandle(
            function("open"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
            Linker.Option.firstVariadicArg(2));

    static final MethodHandle FALLOCATE =
        LINKER.downcallHandle(
            function("fallocate"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG));

    static final MethodHandle CLOSE =
        LINKER.downcallHandle(
            function("close"), FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private Calls() {}

    private static MemorySegment function(String name) {
      return LINKER.defaultLookup().findOrThrow(name);
    }
  }
}
