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
 * only. A negative result is the negated errno, unless something else is said.
 *
 * <p>One object for a process is enough; it holds no state but the handles of the functions.
 */
final class LibC {
  static final int O_RDONLY = 0;
  static final int O_RDWR = 2;
  static final int O_CREAT = 0x40;
  static final int O_EXCL = 0x80;
  static final int O_CLOEXEC = 0x80000;
  static final int FALLOC_FL_KEEP_SIZE = 1;
  static final int FALLOC_FL_PUNCH_HOLE = 2;
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int STATX_BASIC_STATS = 0x7ff;
  static final int MADV_DONTNEED = 4;
  static final int MADV_HUGEPAGE = 14;

  private static final int F_OFD_SETLK = 37;
  private static final short F_RDLCK = 0;
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

  /** {@code struct statx}, the same on all architectures. */
  private static final long STATX_BYTES = 256;

  private static final long STATX_NLINK = 16;
  private static final long STATX_MODE = 28;
  private static final long STATX_SIZE = 40;

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
  private final MethodHandle statx =
      function("statx", -1, FunctionDescriptor.of(INT, INT, POINTER, INT, INT, POINTER));
  private final MethodHandle madvise =
      function("madvise", -1, FunctionDescriptor.of(INT, POINTER, LONG, INT));

  /** {@code O_DIRECT}, which differs between the architectures. */
  static int directFlag() {
    return System.getProperty("os.arch").equals("aarch64") ? 0x10000 : 0x4000;
  }

  /** Opens a file and gives its descriptor. */
  int open(String path, int flags, int mode) {
    return call(
        (arena, state) -> (int) open.invokeExact(state, arena.allocateFrom(path), flags, mode));
  }

  /**
   * Locks the whole file for the open file description, without waiting.
   *
   * @param shared beside others that share it; else a descriptor that can write is needed
   */
  int lockDescription(int fd, boolean shared) {
    return call(
        (arena, state) -> {
          MemorySegment flock = arena.allocate(FLOCK);
          flock.set(ValueLayout.JAVA_SHORT, 0, shared ? F_RDLCK : F_WRLCK);
          return (int) fcntl.invokeExact(state, fd, F_OFD_SETLK, flock);
        });
  }

  /** Closes a descriptor. */
  int close(int fd) {
    return call((arena, state) -> (int) close.invokeExact(state, fd));
  }

  /** The size of a file or block device in bytes. */
  long size(int fd) {
    return longCall((arena, state) -> (long) lseek.invokeExact(state, fd, 0L, SEEK_END));
  }

  /**
   * What an open file is like.
   *
   * @param errno 0, or why the rest means nothing
   * @param mode its type and permissions
   * @param links how many names it has
   */
  record Status(int errno, int mode, int links, long sizeBytes) {}

  /** What an open file is like now. */
  Status status(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment into = arena.allocate(STATX_BYTES, Long.BYTES);
      MemorySegment noPath = arena.allocateFrom("");
      int errno =
          retried(
              (inner, state) ->
                  (int)
                      statx.invokeExact(state, fd, noPath, AT_EMPTY_PATH, STATX_BASIC_STATS, into));
      return new Status(
          errno,
          Short.toUnsignedInt(into.get(ValueLayout.JAVA_SHORT, STATX_MODE)),
          into.get(INT, STATX_NLINK),
          into.get(LONG, STATX_SIZE));
    }
  }

  /** Sets the size of a file; 0 or an errno. */
  int truncate(int fd, long bytes) {
    return retried((arena, state) -> (int) ftruncate.invokeExact(state, fd, bytes));
  }

  /** Makes the data of a file durable; 0 or an errno. */
  int dataSync(int fd) {
    return retried((arena, state) -> (int) fdatasync.invokeExact(state, fd));
  }

  /** Allocates or punches, according to the mode; 0 or an errno. */
  int fallocate(int fd, int mode, long offset, long bytes) {
    return retried((arena, state) -> (int) fallocate.invokeExact(state, fd, mode, offset, bytes));
  }

  /** Says how memory will be used; it begins at a page. */
  int advise(MemorySegment memory, int advice) {
    return call(
        (arena, state) -> (int) madvise.invokeExact(state, memory, memory.byteSize(), advice));
  }

  /** A foreign call, with memory for its time and the place where it leaves its errno. */
  private interface Call {
    long run(Arena arena, MemorySegment state) throws Throwable;
  }

  /** Again for as long as a signal interrupts it. */
  private int retried(Call call) {
    for (; ; ) {
      int result = call(call);
      if (result != -Errno.EINTR) {
        return Math.max(0, -result);
      }
    }
  }

  private int call(Call call) {
    return (int) longCall(call);
  }

  private long longCall(Call call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(stateLayout);
      long returned = call.run(arena, state);
      return returned >= 0 ? returned : -state.get(INT, errnoOffset);
    } catch (Error error) {
      throw error;
    } catch (Throwable error) {
      throw new IllegalStateException("foreign call failed", error);
    }
  }

  private static MethodHandle function(String name, int variadicFrom, FunctionDescriptor shape) {
    Linker linker = Linker.nativeLinker();
    MemorySegment symbol = linker.defaultLookup().findOrThrow(name);
    Linker.Option errno = Linker.Option.captureCallState("errno");
    return variadicFrom < 0
        ? linker.downcallHandle(symbol, shape, errno)
        : linker.downcallHandle(symbol, shape, errno, Linker.Option.firstVariadicArg(variadicFrom));
  }
}
