package dev.upcall.fileman.trees.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What the host says about a path, symbolic links not followed.
 *
 * @param key which file it is, whatever its name
 * @param mode type and permission bits as the system gives them
 * @param owner user id in the low, group id in the high 32 bits
 * @param sizeBytes content bytes
 * @param modifiedNanos last change of content, nanoseconds since 1970
 * @param links how many names it has on this host
 */
public record HostEntry(
    FileKey key, int mode, long owner, long sizeBytes, long modifiedNanos, long links) {
  private static final int TYPE_MASK = 0170000;
  private static final int PERMISSION_MASK = 07777;

  /** Identity of a file on this host. */
  record FileKey(long device, long inode) {
    /** Each entry of a walk is looked up by it, and what a record makes by itself is slow. */
    @Override
    public int hashCode() {
      return Long.hashCode(inode);
    }
  }

  /** The types that there are. */
  public enum Type {
    /** A regular file. */
    FILE,
    /** A directory. */
    DIRECTORY,
    /** A symbolic link. */
    SYMBOLIC_LINK,
    /** A device, socket or fifo. */
    OTHER
  }

  /** Looks at a path. */
  public static HostEntry of(Path path) throws IOException {
    Map<String, Object> seen =
        Files.readAttributes(
            path,
            "unix:mode,uid,gid,size,lastModifiedTime,ino,dev,nlink",
            LinkOption.NOFOLLOW_LINKS);
    return new HostEntry(
        new FileKey(number(seen, "dev"), number(seen, "ino")),
        (int) number(seen, "mode"),
        number(seen, "uid") & 0xFFFF_FFFFL | number(seen, "gid") << 32,
        number(seen, "size"),
        seen.get("lastModifiedTime") instanceof FileTime time ? time.to(TimeUnit.NANOSECONDS) : 0,
        number(seen, "nlink"));
  }

  private static long number(Map<String, Object> seen, String name) {
    return seen.get(name) instanceof Number value ? value.longValue() : 0;
  }

  /** Whether this is a file that nobody has written to since it was found to be another. */
  public boolean isAsUnwrittenAs(HostEntry before) {
    return key.equals(before.key)
        && sizeBytes == before.sizeBytes
        && modifiedNanos == before.modifiedNanos;
  }

  /** The low 12 bits of the mode. */
  public int permissions() {
    return mode & PERMISSION_MASK;
  }

  public Type type() {
    return switch (mode & TYPE_MASK) {
      case 0100000 -> Type.FILE;
      case 0040000 -> Type.DIRECTORY;
      case 0120000 -> Type.SYMBOLIC_LINK;
      default -> Type.OTHER;
    };
  }

  /** The type as a user calls it. */
  public String typeName() {
    return switch (mode & TYPE_MASK) {
      case 0100000 -> "a regular file";
      case 0040000 -> "a directory";
      case 0120000 -> "a symbolic link";
      case 0010000 -> "a fifo";
      case 0140000 -> "a socket";
      case 0020000 -> "a character device";
      case 0060000 -> "a block device";
      default -> "a special file";
    };
  }
}
