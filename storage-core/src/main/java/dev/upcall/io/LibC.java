package dev.upcall.io;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The few calls of the Linux C library that Java has no words for. All may block: helper threads
 * only. A negative result is the negated errno.
 *
 * <p>One object for a process is enough; it holds no state but the handles of the functions.
 */
final class LibC {
  static final int O_RDWR = 2;
  static final int O_CREAT = 0x40;
  static final int O_EXCL = 0x80;
  static final int O_CLOEXEC = 0x80000;
  static final int FALLOC_FL_KEEP_SIZE = 1;
  static final int FALLOC_FL_PUNCH_HOLE = 2;
  static final int MADV_DONTNEED = 4;
  static final int MADV_HUGEPAGE = 14;

  private static final int F_OFD_SETLK = 37;
  private static final short F_WRLCK = 1;
  private static final int SEEK_END = 2;

  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  /** {@code struct flock} of the 64-bit ABIs. */
  private static final StructLayout FLOCK =
      MemoryLayout.structLayout(
          ValueLayout.JAVA_SHORT.withName("l_type"),
          ValueLayout.JAVA_SHORT.withName("l_whence"),
          MemoryLayout.paddingLayout(4),
          LONG.withName("l_start"),
          LONG.withName("l_len"),
          INT.withName("l_pid"),
          MemoryLayout.paddingLayout(4));

  private final StructLayout stateLayout = Linker.Option.captureStateLayout();
  private final long errnoOffset =
      stateLayout.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
  private final MethodHandle open =
      function("open", 2, FunctionDescriptor.of(INT, POINTER, INT, INT));
  private final MethodHandle fcntl =
      function("fcntl", 2, FunctionDescriptor.of(INT, INT, INT, POINTER));
  private final MethodHandle close = function("close", -1, FunctionDescriptor.of(INT, INT));
  private final MethodHandle lseek =
      function("lseek", -1, FunctionDescriptor.of(LONG, INT, LONG, INT));
  private final MethodHandle ftruncate =
      function("ftruncate", -1, FunctionDescriptor.of(INT, INT, LONG));
  private final MethodHandle fdatasync = function("fdatasync", -1, FunctionDescriptor.of(INT, INT));
  private final MethodHandle fallocate =
      function("fallocate", -1, FunctionDescriptor.of(INT, INT, INT, LONG, LONG));
  private final MethodHandle madvise =
      function("madvise", -1, FunctionDescriptor.of(INT, POINTER, LONG, INT));

  /** {@code O_DIRECT}, which differs between the architectures. */
  static int directFlag() {
    return System.getProperty("os.arch").equals("aarch64") ? 0x10000 : 0x4000;
  }

  /** Opens a file and gives its descriptor. */
  int open(String path, int flags, int mode) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path);
      MemorySegment state = arena.allocate(stateLayout);
      return result((int) open.invokeExact(state, name, flags, mode), state);
    } catch (Throwable error) {
      throw unexpected(error);
    }
  }

  /** Locks the whole file for the open file description, without waiting. */
  int lockDescription(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment flock = arena.allocate(FLOCK);
      flock.set(ValueLayout.JAVA_SHORT, 0, F_WRLCK);
      MemorySegment state = arena.allocate(stateLayout);
      return result((int) fcntl.invokeExact(state, fd, F_OFD_SETLK, flock), state);
    } catch (Throwable error) {
      throw unexpected(error);
    }
  }

  /** Closes a descriptor. */
  int close(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(stateLayout);
      return result((int) close.invokeExact(state, fd), state);
    } catch (Throwable error) {
      throw unexpected(error);
    }
  }

  /** The size of a file or block device in bytes. */
  long size(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(stateLayout);
      long end = (long) lseek.invokeExact(state, fd, 0L, SEEK_END);
      return end >= 0 ? end : result(-1, state);
    } catch (Throwable error) {
      throw unexpected(error);
    }
  }

  /** Sets the size of a file. */
  int truncate(int fd, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(stateLayout);
      return result((int) ftruncate.invokeExact(state, fd, bytes), state);
    } catch (Throwable error) {
      throw unexpected(error);
    }
  }

  /** Makes the data of a file durable. */
  int dataSync(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(stateLayout);
      return result((int) fdatasync.invokeExact(state, fd), state);
    } catch (Throwable error) {
      throw unexpected(error);
    }
  }

  /** Allocates or punches, according to the mode. */
  int fallocate(int fd, int mode, long offset, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(stateLayout);
      return result((int) fallocate.invokeExact(state, fd, mode, offset, bytes), state);
    } catch (Throwable error) {
      throw unexpected(error);
    }
  }

  /** Says how memory will be used; it begins at a page. */
  int advise(MemorySegment memory, int advice) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(stateLayout);
      return result((int) madvise.invokeExact(state, memory, memory.byteSize(), advice), state);
    } catch (Throwable error) {
      throw unexpected(error);
    }
  }

  private int result(int returned, MemorySegment state) {
    return returned >= 0 ? returned : -state.get(INT, errnoOffset);
  }

  private static MethodHandle function(String name, int variadicFrom, FunctionDescriptor shape) {
    Linker linker = Linker.nativeLinker();
    MemorySegment symbol = linker.defaultLookup().findOrThrow(name);
    Linker.Option errno = Linker.Option.captureCallState("errno");
    return variadicFrom < 0
        ? linker.downcallHandle(symbol, shape, errno)
        : linker.downcallHandle(symbol, shape, errno, Linker.Option.firstVariadicArg(variadicFrom));
  }

  private static RuntimeException unexpected(Throwable error) {
    if (error instanceof Error serious) {
      throw serious;
    }
    return new IllegalStateException("foreign call failed", error);
  }
}
