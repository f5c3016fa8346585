package dev.upcall.io;

import dev.upcall.completion.Failure;

/** The error numbers of Linux that the disks meet, and what becomes of them. */
public final class Errno {
  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  public static final int EAGAIN = 11;
  public static final int EACCES = 13;
  static final int EBUSY = 16;
  public static final int EEXIST = 17;
  static final int ENODEV = 19;
  public static final int EISDIR = 21;
  public static final int EINVAL = 22;
  public static final int EFBIG = 27;
  public static final int ENOSPC = 28;
  static final int EROFS = 30;
  public static final int ENOLCK = 37;
  static final int ENOSYS = 38;
  static final int EOPNOTSUPP = 95;
  public static final int EDQUOT = 122;

  private Errno() {}

  /** Whether the call is to be made again as it was. */
  public static boolean isTransient(int errno) {
    return errno == EINTR || errno == EAGAIN;
  }

  /** Whether the file system has no such operation. */
  public static boolean isUnsupported(int errno) {
    return errno == EOPNOTSUPP || errno == ENOSYS || errno == ENODEV;
  }

  /** Whether there is no room left. */
  public static boolean isFull(int errno) {
    return errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
  }

  /** The words of the operating system. */
  public static String message(int errno) {
    return switch (errno) {
      case EPERM -> "Operation not permitted";
      case ENOENT -> "No such file or directory";
      case EINTR -> "Interrupted system call";
      case EIO -> "Input/output error";
      case EAGAIN -> "Resource temporarily unavailable";
      case EACCES -> "Permission denied";
      case EBUSY -> "Device or resource busy";
      case EEXIST -> "File exists";
      case ENODEV -> "No such device";
      case EISDIR -> "Is a directory";
      case EINVAL -> "Invalid argument";
      case EFBIG -> "File too large";
      case ENOSPC -> "No space left on device";
      case EROFS -> "Read-only file system";
      case ENOLCK -> "No locks available";
      case ENOSYS -> "Function not implemented";
      case EOPNOTSUPP -> "Operation not supported";
      case EDQUOT -> "Disk quota exceeded";
      default -> "error number " + errno;
    };
  }

  /**
   * What a request's error becomes. Blocks when the device is full: it looks which.
   *
   * @param volume the volume's name
   */
  public static Failure failure(DiskRequest request, int errno, String volume) {
    if (errno == EFBIG) {
      return FullDevice.tooLarge(request.blocks() * Disk.BLOCK_BYTES, volume, message(errno));
    }
    return isFull(errno)
        ? FullDevice.failure(request.blocks() * Disk.BLOCK_BYTES, volume, message(errno))
        : device(request, volume, message(errno));
  }

  /** What the device said to a request. */
  public static Failure device(DiskRequest request, String volume, String detail) {
    return new Failure.Device(
        "%s of %d blocks at block %d of %s"
            .formatted(
                DiskRules.operation(request), request.blocks(), request.firstBlock(), volume),
        detail);
  }

  /** The file ends where the volume does not. */
  public static Failure stuck(DiskRequest request, String volume) {
    return new Failure.Device(
        DiskRules.operation(request) + " of " + volume,
        "nothing more transferred at block %d or after: the volume was cut short"
            .formatted(request.firstBlock()));
  }
}
