package dev.upcall.io;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The few calls of the Linux C library that Java has no words for. All may block, unless something
 * else is said: helper threads only. A negative result is the negated errno, unless something else
 * is said.
 *
 * <p>One object for a process is enough; it holds no state but where the functions are.
 */
public final class LibC {
  public static final int O_RDONLY = 0;
  public static final int O_RDWR = 2;
  public static final int O_CREAT = 0x40;
  public static final int O_EXCL = 0x80;
  public static final int O_CLOEXEC = 0x80000;
  public static final int FALLOC_FL_KEEP_SIZE = 1;
  public static final int FALLOC_FL_PUNCH_HOLE = 2;
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int STATX_BASIC_STATS = 0x7ff;

  /** {@code struct iovec} of the 64-bit ABIs. */
  public static final int VECTOR_BYTES = 16;

  static final int MADV_DONTNEED = 4;
  static final int MADV_HUGEPAGE = 14;

  private static final int F_OFD_SETLK = 37;
  private static final int F_OFD_SETLKW = 38;
  private static final int LOCK_EX = 2;
  private static final int LOCK_UN = 8;
  private static final short F_RDLCK = 0;
  private static final short F_WRLCK = 1;
  private static final int SEEK_END = 2;
  private static final int SHUT_WR = 1;

  /** {@code struct sched_attr} as it began. */
  private static final long SCHED_ATTR_BYTES = 48;

  private static final long SCHED_ATTR_POLICY = 4;
  private static final long SCHED_ATTR_RUNTIME = 24;
  private static final int SCHED_OTHER = 0;

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
  private static final long STATX_INODE = 32;
  private static final long STATX_SIZE = 40;
  private static final long STATX_DEVICE_MAJOR = 136;
  private static final long STATX_DEVICE_MINOR = 140;

  /**
   * What a call reads and writes besides files, of which the largest is what a file is like, and
   * behind it the state of the call.
   */
  private static final long SCRATCH_BYTES = 512;

  private static final long SCRATCH_STATE = STATX_BYTES;

  /** So many pieces go in one transfer at most. */
  private static final long MOST_PIECES = SCRATCH_STATE / VECTOR_BYTES;

  /** Calls at once for which there is memory whatever others have used up. */
  private static final int SCRATCHES = 64;

  /**
   * One shape for all functions, because each further one costs every process some milliseconds
   * when it starts. Whole numbers and addresses come in the same registers, whatever their width,
   * and a function does not look at those that it has no parameter for.
   */
  private static final FunctionDescriptor SHAPE =
      FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, LONG);

  private static final Linker LINKER = Linker.nativeLinker();

  private final StructLayout stateLayout = Linker.Option.captureStateLayout();
  private final long errnoOffset =
      stateLayout.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

  /** Of a variadic function, as open and fcntl are; to the others that makes no difference. */
  private final MethodHandle invoke =
      LINKER.downcallHandle(
          SHAPE, Linker.Option.captureCallState("errno"), Linker.Option.firstVariadicArg(2));

  private final ConcurrentLinkedQueue<MemorySegment> scratches = new ConcurrentLinkedQueue<>();

  private final MemorySegment open = function("open");
  private final MemorySegment fcntl = function("fcntl");
  private final MemorySegment flock = function("flock");
  private final MemorySegment close = function("close");
  private final MemorySegment lseek = function("lseek");
  private final MemorySegment ftruncate = function("ftruncate");
  private final MemorySegment fdatasync = function("fdatasync");
  private final MemorySegment fallocate = function("fallocate");
  private final MemorySegment statx = function("statx");
  private final MemorySegment preadv = function("preadv");
  private final MemorySegment pwritev = function("pwritev");
  private final MemorySegment madvise = function("madvise");
  private final MemorySegment calloc = function("calloc");
  private final MemorySegment free = function("free");
  private final MemorySegment getpeername = function("getpeername");
  private final MemorySegment shutdown = function("shutdown");
  private final MemorySegment syscall = function("syscall");

  /** Links what is the same for all. */
  public LibC() {
    MemorySegment all = Arena.global().allocate(SCRATCHES * SCRATCH_BYTES, Long.BYTES);
    for (int i = 0; i < SCRATCHES; i++) {
      scratches.add(all.asSlice(i * SCRATCH_BYTES, SCRATCH_BYTES));
    }
  }

  /** Zeroed; the JVM is asked for it when more calls are made at once than is usual. */
  private MemorySegment takeScratch() {
    MemorySegment free = scratches.poll();
    return free == null ? Arena.ofAuto().allocate(SCRATCH_BYTES, Long.BYTES) : free.fill((byte) 0);
  }

  private void giveScratch(MemorySegment used) {
    scratches.add(used);
  }

  /** {@code O_DIRECT}, which differs between the architectures. */
  public static int directFlag() {
    return System.getProperty("os.arch").equals("aarch64") ? 0x10000 : 0x4000;
  }

  /** Opens a file and gives its descriptor. */
  public int open(String path, int flags, int mode) {
    try (Arena arena = Arena.ofConfined()) {
      return intCall(open, arena.allocateFrom(path).address(), flags, mode, 0, 0);
    }
  }

  /**
   * Locks the whole file for the open file description.
   *
   * @param shared beside others that share it; else a descriptor that can write is needed
   * @param wait whether to sleep in the kernel, for ever if need be, until it is free
   */
  public int lockDescription(int fd, boolean shared, boolean wait) {
    MemorySegment scratch = takeScratch();
    MemorySegment flock = scratch.asSlice(0, FLOCK);
    try {
      flock.set(ValueLayout.JAVA_SHORT, 0, shared ? F_RDLCK : F_WRLCK);
      int how = wait ? F_OFD_SETLKW : F_OFD_SETLK;
      return -retried(scratch, fcntl, fd, how, flock.address(), 0, 0);
    } finally {
      giveScratch(scratch);
    }
  }

  /**
   * Takes the lock of the other kind that a file has besides ({@code flock}), which hinders nobody
   * in {@link #lockDescription}; sleeps in the kernel until it is free. It goes with the
   * descriptor.
   */
  public int standInLine(int fd) {
    return -retried(flock, fd, LOCK_EX, 0, 0, 0);
  }

  /** Gives that back. */
  public int leaveLine(int fd) {
    return -retried(flock, fd, LOCK_UN, 0, 0, 0);
  }

  /** Closes a descriptor. */
  public int close(int fd) {
    return intCall(close, fd, 0, 0, 0, 0);
  }

  /** The size of a file or block device in bytes. */
  public long size(int fd) {
    MemorySegment scratch = takeScratch();
    try {
      long end = call(scratch, lseek, fd, 0, SEEK_END, 0, 0);
      return end >= 0 ? end : -errno(scratch);
    } finally {
      giveScratch(scratch);
    }
  }

  /**
   * What an open file is like.
   *
   * @param errno 0, or why the rest means nothing
   * @param mode its type and permissions
   * @param links how many names it has
   * @param file which one it is
   */
  public record Status(int errno, int mode, int links, long sizeBytes, FileKey file) {}

  /** What tells files apart. */
  public record FileKey(int deviceMajor, int deviceMinor, long inode) {
    /** Written out: the JVM would make it when the first volume is opened, from 25 classes more. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof FileKey that
          && that.deviceMajor == deviceMajor
          && that.deviceMinor == deviceMinor
          && that.inode == inode;
    }

    @Override
    public int hashCode() {
      return 31 * (31 * deviceMajor + deviceMinor) + Long.hashCode(inode);
    }
  }

  /** What an open file is like now. */
  public Status status(int fd) {
    MemorySegment into = takeScratch();
    try {
      // Its last byte stays 0.
      long noPath = into.address() + SCRATCH_BYTES - 1;
      int errno =
          retried(into, statx, fd, noPath, AT_EMPTY_PATH, STATX_BASIC_STATS, into.address());
      return new Status(
          errno,
          Short.toUnsignedInt(into.get(ValueLayout.JAVA_SHORT, STATX_MODE)),
          into.get(INT, STATX_NLINK),
          into.get(LONG, STATX_SIZE),
          new FileKey(
              into.get(INT, STATX_DEVICE_MAJOR),
              into.get(INT, STATX_DEVICE_MINOR),
              into.get(LONG, STATX_INODE)));
    } finally {
      giveScratch(into);
    }
  }

  /** Sets the size of a file; 0 or an errno. */
  public int truncate(int fd, long bytes) {
    return retried(ftruncate, fd, bytes, 0, 0, 0);
  }

  /** Makes the data of a file durable; 0 or an errno. */
  public int dataSync(int fd) {
    return retried(fdatasync, fd, 0, 0, 0, 0);
  }

  /** Allocates or punches, according to the mode; 0 or an errno. */
  public int fallocate(int fd, int mode, long offset, long bytes) {
    return retried(fallocate, fd, mode, offset, bytes, 0);
  }

  /**
   * Reads at an offset into pieces of direct memory: how many bytes, which may be fewer than they
   * have room for.
   *
   * @param skipBytes of the pieces, from the first on, that are left as they are
   */
  public int read(int fd, List<ByteBuffer> into, int skipBytes, long offset) {
    return transfer(preadv, fd, into, skipBytes, offset);
  }

  /** Writes at an offset, likewise. */
  public int write(int fd, List<ByteBuffer> from, int skipBytes, long offset) {
    return transfer(pwritev, fd, from, skipBytes, offset);
  }

  private int transfer(
      MemorySegment function, int fd, List<ByteBuffer> pieces, int skipBytes, long offset) {
    MemorySegment scratch = takeScratch();
    try {
      int count = vectors(pieces, skipBytes, scratch.asSlice(0, MOST_PIECES * VECTOR_BYTES));
      return intCall(scratch, function, fd, scratch.address(), count, offset, 0);
    } finally {
      giveScratch(scratch);
      Reference.reachabilityFence(pieces);
    }
  }

  /**
   * Fills a table of {@code struct iovec} with where pieces of direct memory lie, as far as it has
   * room, and returns how many entries it has.
   *
   * @param skipBytes of the pieces, from the first on, that are left out
   */
  public static int vectors(List<ByteBuffer> pieces, int skipBytes, MemorySegment table) {
    long at = 0;
    int skip = skipBytes;
    for (int i = 0; i < pieces.size() && at < table.byteSize(); i++) {
      ByteBuffer piece = pieces.get(i);
      int length = piece.remaining();
      if (skip >= length) {
        skip -= length;
        continue;
      }
      table.set(LONG, at, MemorySegment.ofBuffer(piece).address() + skip);
      table.set(LONG, at + Long.BYTES, length - skip);
      at += VECTOR_BYTES;
      skip = 0;
    }
    return (int) (at / VECTOR_BYTES);
  }

  /** Says how memory will be used; it begins at a page. */
  int advise(MemorySegment memory, int advice) {
    try {
      return intCall(madvise, memory.address(), memory.byteSize(), advice, 0, 0);
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  /** Zeroed memory that is not the JVM's; its address, or 0 if there is none. Never blocks. */
  long allocate(long bytes) {
    return call(calloc, 1, bytes, 0, 0, 0);
  }

  /** Gives that back. Never blocks. */
  void free(MemorySegment memory) {
    call(free, memory.address(), 0, 0, 0, 0);
  }

  /**
   * Whom a socket connects to; never blocks.
   *
   * @param into gets a {@code struct sockaddr}
   * @param length holds how much room there is, and then what was there to say
   * @return 0, or a negated errno
   */
  int peer(int fd, MemorySegment into, MemorySegment length) {
    return intCall(getpeername, fd, into.address(), length.address(), 0, 0);
  }

  /** Tells a socket's peer that no more will be sent; 0, or a negated errno. Never blocks. */
  int finishOutput(int fd) {
    return intCall(shutdown, fd, SHUT_WR, 0, 0, 0);
  }

  /**
   * Gives a thread of this process another time slice and leaves its priority as it is; 0, or a
   * negated errno. A kernel that knows none takes no notice. Never blocks.
   *
   * @param nanos 0: the usual one
   */
  int setSlice(int thread, long nanos) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(SCHED_ATTR_BYTES, Long.BYTES);
      int read = attributes(thread, attributes);
      if (read != 0 || attributes.get(INT, SCHED_ATTR_POLICY) != SCHED_OTHER) {
        return read != 0 ? read : -Errno.EINVAL;
      }
      attributes.set(LONG, SCHED_ATTR_RUNTIME, nanos);
      return intCall(syscall, setAttributesNumber(), thread, attributes.address(), 0, 0);
    }
  }

  /** The time slice of a thread of this process in nanoseconds, or a negated errno. */
  long slice(int thread) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(SCHED_ATTR_BYTES, Long.BYTES);
      int read = attributes(thread, attributes);
      return read == 0 ? attributes.get(LONG, SCHED_ATTR_RUNTIME) : read;
    }
  }

  private int attributes(int thread, MemorySegment into) {
    int number = setAttributesNumber();
    // The two are neighbours everywhere.
    return number < 0
        ? number
        : intCall(syscall, number + 1, thread, into.address(), SCHED_ATTR_BYTES, 0);
  }

  /** Of {@code sched_setattr}, for which older C libraries have no function. */
  private static int setAttributesNumber() {
    return switch (System.getProperty("os.arch")) {
      case "amd64" -> 314;
      case "aarch64" -> 274;
      default -> -Errno.ENOSYS;
    };
  }

  /** Again for as long as a signal interrupts it. */
  private int retried(MemorySegment function, long a, long b, long c, long d, long e) {
    MemorySegment scratch = takeScratch();
    try {
      return retried(scratch, function, a, b, c, d, e);
    } finally {
      giveScratch(scratch);
    }
  }

  private int retried(
      MemorySegment scratch, MemorySegment function, long a, long b, long c, long d, long e) {
    for (; ; ) {
      int result = intCall(scratch, function, a, b, c, d, e);
      if (result != -Errno.EINTR) {
        return Math.max(0, -result);
      }
    }
  }

  /** Calls a function that returns an int: the upper half of what comes back means nothing. */
  private int intCall(MemorySegment function, long a, long b, long c, long d, long e) {
    MemorySegment scratch = takeScratch();
    try {
      return intCall(scratch, function, a, b, c, d, e);
    } finally {
      giveScratch(scratch);
    }
  }

  private int intCall(
      MemorySegment scratch, MemorySegment function, long a, long b, long c, long d, long e) {
    int returned = (int) call(scratch, function, a, b, c, d, e);
    return returned >= 0 ? returned : -errno(scratch);
  }

  private long call(MemorySegment function, long a, long b, long c, long d, long e) {
    MemorySegment scratch = takeScratch();
    try {
      return call(scratch, function, a, b, c, d, e);
    } finally {
      giveScratch(scratch);
    }
  }

  /** With a scratch, whose beginning is the caller's. */
  private long call(
      MemorySegment scratch, MemorySegment function, long a, long b, long c, long d, long e) {
    MemorySegment state = scratch.asSlice(SCRATCH_STATE, stateLayout);
    try {
      return (long) invoke.invokeExact(function, state, a, b, c, d, e);
    } catch (Error error) {
      throw error;
    } catch (Throwable error) {
      throw new IllegalStateException("foreign call failed", error);
    }
  }

  /** Of the last call with that scratch, which has failed. */
  private int errno(MemorySegment scratch) {
    return scratch.get(INT, SCRATCH_STATE + errnoOffset);
  }

  private static MemorySegment function(String name) {
    return LINKER.defaultLookup().findOrThrow(name);
  }
}
