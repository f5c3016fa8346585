package dev.upcall.txn.state;

import dev.upcall.completion.Failure;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Names of snapshots as keys of their tree. */
public final class SnapshotNames {
  private static final int MAX_BYTES = 255;

  private SnapshotNames() {}

  public static byte[] key(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  public static String name(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }

  /** Why nothing can have that name, or null. */
  static @Nullable public Failure refuses(String name) {
    byte[] key = key(name);
    if (key.length < 1 || key.length > MAX_BYTES || !name.equals(name(key))) {
      return new Failure.Invalid(
          "the name of a snapshot must have 1 to %d bytes of UTF-8, not %d"
              .formatted(MAX_BYTES, key.length));
    }
    return null;
  }

  public static Failure exists(String name) {
    return new Failure.AlreadyExists("snapshot " + name);
  }

  public static Failure missing(String name) {
    return new Failure.NotFound("snapshot " + name);
  }
}
