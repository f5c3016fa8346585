package dev.upcall.fileman.trees.host;

import dev.upcall.Expiry;
import dev.upcall.FileInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a file expires, as an extended attribute of the host's file: a moment as ISO 8601 has it, in
 * UTC, for instance {@code 2027-01-31T12:00:00Z}. Linux calls it {@code user.upcall.expires}.
 */
public final class HostExpiry {
  static final String ATTRIBUTE = "upcall.expires";

  private static final long SECOND_NANOS = 1_000_000_000L;

  private HostExpiry() {}

  /**
   * Writes it beside a file's content; harmless for what stays.
   *
   * @throws IOException with the reason, when it cannot be kept there
   */
  public static void write(Path path, FileInfo info) throws IOException {
    if (info.times().hasExpiry()) {
      long nanos = info.times().expiresNanos();
      Instant moment = Instant.ofEpochSecond(nanos / SECOND_NANOS, nanos % SECOND_NANOS);
      UserDefinedFileAttributeView attributes = attributes(path);
      if (attributes == null) {
        throw new FileSystemException(path.toString(), null, "no extended attributes here");
      }
      attributes.write(ATTRIBUTE, StandardCharsets.US_ASCII.encode(moment.toString()));
    }
  }

  /**
   * What stands beside a file's content, or null.
   *
   * @throws IOException when it is no moment
   */
  public static @Nullable Expiry read(Path path) throws IOException {
    UserDefinedFileAttributeView attributes = attributes(path);
    if (attributes == null || !names(attributes).contains(ATTRIBUTE)) {
      return null;
    }
    ByteBuffer value = ByteBuffer.allocate(attributes.size(ATTRIBUTE));
    attributes.read(ATTRIBUTE, value);
    String text = StandardCharsets.ISO_8859_1.decode(value.flip()).toString();
    try {
      return Expiry.at(Instant.parse(text));
    } catch (DateTimeException unreadable) {
      throw new FileSystemException(
          path.toString(),
          null,
          "its attribute user.%s is no moment: %s".formatted(ATTRIBUTE, text));
    }
  }

  /** How many other extended attributes stand beside a file's content, which nobody brings in. */
  public static long others(Path path) {
    UserDefinedFileAttributeView attributes = attributes(path);
    return attributes == null
        ? 0
        : names(attributes).stream().filter(name -> !name.equals(ATTRIBUTE)).count();
  }

  private static List<String> names(UserDefinedFileAttributeView attributes) {
    try {
      return attributes.list();
    } catch (IOException without) {
      // A file system that has none; a file that cannot be read says so when its content is read.
      return List.of();
    }
  }

  private static @Nullable UserDefinedFileAttributeView attributes(Path path) {
    return Files.getFileAttributeView(
        path, UserDefinedFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }
}
