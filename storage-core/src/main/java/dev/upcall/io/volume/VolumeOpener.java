package dev.upcall.io.volume;

import dev.upcall.base.Clock;
import dev.upcall.base.HostWords;
import dev.upcall.base.SystemClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.Errno;
import dev.upcall.io.IoClass;
import dev.upcall.io.LibC;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Opens, locks and fences one volume. Blocks throughout: a helper thread's work. */
final class VolumeOpener {
  /** The block that is punched to wait for a dead owner's writes; it never holds anything. */
  static final long SCRATCH_BLOCK = 2;

  static final int TYPE_MASK = 0xF000;
  static final int TYPE_BLOCK_DEVICE = 0x6000;
  private static final int TYPE_REGULAR = 0x8000;
  private static final int TYPE_DIRECTORY = 0x4000;
  private static final int PRIVATE_MODE = 0600;

  private final LibC libC = new LibC();
  private final VolumeSpec spec;
  private final Locking locking;
  private final Path path;
  private final Clock clock = new SystemClock();
  private boolean blockDevice;
  private long lockedNanos;
  private long fenceNanos;

  /** How an open file description is locked: 0 or a negated errno. */
  interface Locking {
    int lock(int fd, boolean shared, boolean wait);
  }

  VolumeOpener(VolumeSpec spec) {
    this.spec = spec;
    this.locking = libC::lockDescription;
    this.path = spec.path();
  }

  /** An opener where descriptions are locked in another way, or not at all. */
  VolumeOpener(VolumeSpec spec, Locking locking) {
    this.spec = spec;
    this.locking = locking;
    this.path = spec.path();
  }

  /** The volume, or why not. */
  Completion<OpenVolume> open() {
    return open(null);
  }

  /**
   * The same once nobody else has it open, to write or to read, however long that takes. Those who
   * wait stand in line, so that it is known who gets it; where the file system knows no such lock
   * they get it in any order, and nobody is told to be next.
   *
   * @param whenNext is run when this is the first in line
   */
  Completion<OpenVolume> openWhenFree(Runnable whenNext) {
    return open(whenNext);
  }

  /** When the lock was had, on the clock of this machine. */
  long lockedNanos() {
    return lockedNanos;
  }

  /** How long a dead owner's writes were waited for. */
  long fenceNanos() {
    return fenceNanos;
  }

  private Completion<OpenVolume> open(@Nullable Runnable whenNext) {
    boolean create = spec.createBlocks() > 0;
    Failure wrongType = create ? null : checkType();
    if (wrongType != null) {
      return Completion.failed(wrongType);
    }
    // The lock comes first, on a descriptor of its own: nothing is touched before it is ours.
    int lockFd =
        libC.open(
            path.toString(),
            access() | LibC.O_CLOEXEC | (create ? LibC.O_CREAT | LibC.O_EXCL : 0),
            PRIVATE_MODE);
    if (lockFd < 0) {
      return Completion.failed(openFailure(-lockFd));
    }
    boolean wait = whenNext != null;
    boolean inLine = wait && libC.standInLine(lockFd) == 0;
    if (inLine && whenNext != null) {
      whenNext.run();
    }
    int locked = locking.lock(lockFd, /* shared= */ spec.readOnly(), wait);
    if (inLine) {
      libC.leaveLine(lockFd);
    }
    if (locked == 0) {
      return withLock(new OpenVolume.Lock.Description(lockFd));
    }
    libC.close(lockFd);
    if (locked == -Errno.EAGAIN || locked == -Errno.EACCES) {
      return Completion.failed(inUse(path));
    }
    return spec.readOnly() ? shareBeside(-locked) : lockBeside(wait);
  }

  private int access() {
    return spec.readOnly() ? LibC.O_RDONLY : LibC.O_RDWR;
  }

  private Completion<OpenVolume> withLock(OpenVolume.Lock lock) {
    lockedNanos = clock.monotonicNanos();
    boolean direct = true;
    // Readers take a device beside each other, and beside a file system that only reads it.
    int exclusive = blockDevice && !spec.readOnly() ? LibC.O_EXCL : 0;
    int flags = access() | LibC.O_CLOEXEC | exclusive;
    int fd = libC.open(path.toString(), flags | LibC.directFlag(), 0);
    if (fd == -Errno.EINVAL) {
      direct = false;
      fd = libC.open(path.toString(), flags, 0);
    }
    if (fd < 0) {
      return abandon(lock, openFailure(-fd));
    }
    if (lock instanceof OpenVolume.Lock.Description(int lockFd) && !isSameFile(lockFd, fd)) {
      libC.close(fd);
      return abandon(lock, replaced(spec.name()));
    }
    long size = libC.size(fd);
    if (size < 0) {
      libC.close(fd);
      return abandon(lock, openFailure((int) -size));
    }
    OpenVolume volume =
        new OpenVolume(
            libC,
            spec.name(),
            fd,
            lock,
            size,
            new OpenVolume.Access(spec.readOnly(), direct, HostDevice.below(path).isRotating()));
    return spec.createBlocks() > 0 ? fill(volume) : examine(volume);
  }

  /** A lock is on a file, not on its name: another one may have got that since. */
  private boolean isSameFile(int lockFd, int fd) {
    LibC.Status locked = libC.status(lockFd);
    return locked.errno() != 0 || locked.file().equals(libC.status(fd).file());
  }

  /** There is another file of this name than the one that was there before. */
  static Failure replaced(String name) {
    return new Failure.Conflict(
        "volume %s was replaced by another file; nothing was changed".formatted(name));
  }

  private Completion<OpenVolume> fill(OpenVolume volume) {
    int errno = volume.grow(spec.createBlocks() * Disk.BLOCK_BYTES);
    Failure unnamed = errno == 0 ? syncFolder() : null;
    if (unnamed != null) {
      volume.close();
      return Completion.failed(unnamed);
    }
    if (errno == 0) {
      long bytes = spec.createBlocks() * Disk.BLOCK_BYTES;
      return Completion.done(
          new OpenVolume(libC, volume.name(), volume.fd(), volume.lock(), bytes, volume.access()));
    }
    try {
      Files.deleteIfExists(path);
    } catch (IOException error) {
      log().log(System.Logger.Level.WARNING, "a volume that could not be made stays behind", error);
    }
    volume.close();
    DiskRequest.Allocate request =
        new DiskRequest.Allocate(0, spec.createBlocks(), IoClass.BACKGROUND, ignored -> {});
    return Completion.failed(Errno.failure(request, errno, spec.name()));
  }

  /** Makes the new file's name durable: syncing the file does not promise it. */
  private @Nullable Failure syncFolder() {
    Path folder = folder();
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
      return null;
    } catch (IOException error) {
      return new Failure.Device("syncing " + folder, HostWords.of(error));
    }
  }

  private Completion<OpenVolume> examine(OpenVolume volume) {
    long odd = volume.sizeBytes() % Disk.BLOCK_BYTES;
    if (odd != 0 && !blockDevice && !spec.readOnly()) {
      volume.close();
      return Completion.failed(
          new Failure.Invalid(
              "%s has %d bytes, which is not a whole number of %d-byte blocks: it was cut short,"
                      .formatted(spec.name(), volume.sizeBytes(), Disk.BLOCK_BYTES)
                  + " or is not a volume; opened read-only, it shows what is left of one"));
    }
    Failure unfenced = spec.readOnly() ? null : fence(volume);
    fenceNanos = clock.monotonicNanos() - lockedNanos;
    if (unfenced != null) {
      volume.close();
      return Completion.failed(unfenced);
    }
    return Completion.done(volume);
  }

  /**
   * Waits until direct writes of a killed owner, which outlive its lock by tens of milliseconds,
   * have landed: punching a hole waits for all direct I/O on the file. Only a block of zeros is
   * punched, so that a file which is not a volume keeps its bytes. Who only reads need not wait:
   * what still lands was never acknowledged, and is in nobody's way.
   */
  private @Nullable Failure fence(OpenVolume volume) {
    if (volume.sizeBytes() < (SCRATCH_BLOCK + 1) * Disk.BLOCK_BYTES) {
      return null;
    }
    // Not a channel, which an interrupt of the opener would close.
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      byte[] scratch = new byte[Disk.BLOCK_BYTES];
      file.seek(SCRATCH_BLOCK * Disk.BLOCK_BYTES);
      file.readFully(scratch);
      if (!Arrays.equals(scratch, new byte[Disk.BLOCK_BYTES])) {
        return null;
      }
    } catch (IOException error) {
      return new Failure.Device("reading " + spec.name(), HostWords.of(error));
    }
    int errno = volume.punch(SCRATCH_BLOCK, 1);
    return errno == 0
        ? null
        : new Failure.Device("waiting for old writes on " + spec.name(), Errno.message(errno));
  }

  /** Where descriptions cannot be locked (some network file systems): a file beside the volume. */
  private Completion<OpenVolume> lockBeside(boolean wait) {
    try {
      FileChannel channel =
          FileChannel.open(sidecar(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = wait ? awaitLock(channel) : lock(channel, /* shared= */ false);
      return lock == null
          ? Completion.failed(inUse(sidecar()))
          : withLock(new OpenVolume.Lock.Sidecar(lock));
    } catch (IOException error) {
      return Completion.failed(new Failure.Device("locking " + spec.name(), HostWords.of(error)));
    }
  }

  /** The same for those who only read, and make nothing: without that file there is no lock. */
  private Completion<OpenVolume> shareBeside(int errno) {
    String why = Errno.message(errno);
    try {
      FileLock lock =
          lock(FileChannel.open(sidecar(), StandardOpenOption.READ), /* shared= */ true);
      return lock == null
          ? Completion.failed(inUse(sidecar()))
          : withLock(new OpenVolume.Lock.Sidecar(lock));
    } catch (IOException error) {
      why += "; " + HostWords.of(error);
    }
    log()
        .log(
            System.Logger.Level.WARNING,
            "{0}: read without a lock ({1}); it must not be written meanwhile",
            spec.name(),
            why);
    return withLock(new OpenVolume.Lock.None());
  }

  /** Null, and the channel closed, when another one has the lock. */
  private static @Nullable FileLock lock(FileChannel channel, boolean shared) throws IOException {
    FileLock lock = null;
    try {
      lock = channel.tryLock(0, Long.MAX_VALUE, shared);
    } catch (OverlappingFileLockException sameProcess) {
      return null;
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    return lock;
  }

  /** Null, and the channel closed, when another store of this process has the lock. */
  private static @Nullable FileLock awaitLock(FileChannel channel) throws IOException {
    try {
      return channel.lock();
    } catch (OverlappingFileLockException sameProcess) {
      channel.close();
      return null;
    }
  }

  private Path sidecar() {
    return sidecar(path);
  }

  /** The file that is locked in a volume's stead where that cannot be. */
  static Path sidecar(Path volume) {
    return volume.resolveSibling(volume.getFileName() + ".lock");
  }

  private Completion<OpenVolume> abandon(OpenVolume.Lock lock, Failure failure) {
    OpenVolume.release(libC, lock);
    return Completion.failed(failure);
  }

  private @Nullable Failure checkType() {
    int mode;
    try {
      mode = (Integer) Files.getAttribute(path, "unix:mode");
    } catch (NoSuchFileException error) {
      return missing();
    } catch (IOException error) {
      return new Failure.Device("opening " + spec.name(), HostWords.of(error));
    }
    int type = mode & TYPE_MASK;
    if (type == TYPE_DIRECTORY) {
      return new Failure.IsADirectory(spec.name());
    }
    blockDevice = type == TYPE_BLOCK_DEVICE;
    if (!blockDevice && type != TYPE_REGULAR) {
      return new Failure.Invalid(spec.name() + " is neither a regular file nor a block device");
    }
    return null;
  }

  /** The volume or, where that is what is missing, its folder. */
  private Failure missing() {
    Path folder = folder();
    return Files.isDirectory(folder)
        ? new Failure.NotFound("volume " + spec.name())
        : new Failure.NotFound("folder " + folder);
  }

  /** Not all folders take files. */
  private Failure notMade(int errno) {
    return Files.isDirectory(folder())
        ? new Failure.Device("making " + spec.name(), Errno.message(errno))
        : missing();
  }

  /** That it lies in; the root of the host lies in itself. */
  private Path folder() {
    Path absolute = path.toAbsolutePath();
    Path folder = absolute.getParent();
    return folder == null ? absolute : folder;
  }

  private Failure inUse(Path locked) {
    return new Failure.Conflict(
        "volume %s is in use by %s; nothing was changed"
            .formatted(spec.name(), LockHolder.of(locked)));
  }

  private Failure openFailure(int errno) {
    return switch (errno) {
      case Errno.ENOENT -> spec.createBlocks() > 0 ? notMade(errno) : missing();
      case Errno.EEXIST -> new Failure.AlreadyExists(spec.name());
      case Errno.EISDIR -> new Failure.IsADirectory(spec.name());
      default -> new Failure.Device("opening " + spec.name(), Errno.message(errno));
    };
  }

  /** Looked up where there is something to say: the first look-up of a JVM takes a while. */
  private static System.Logger log() {
    return System.getLogger(VolumeOpener.class.getName());
  }
}
