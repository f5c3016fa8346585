package dev.upcall.journal.entry;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a queue: a request, or a part of one that is too large for an entry, or what became
 * of one.
 *
 * @param origin who asks; all parts of a request have the same, and what became of it too
 * @param kind what the body is
 * @param part which of the parts, from 0 on
 * @param parts how many there are; all but the last have {@link #MAX_BODY_BYTES} of body
 * @param body not to be changed
 * @param appendedMillis when it was put into its queue, since 1970; 0 where nobody asks for that
 */
public record Entry(
    Origin origin, EntryKind kind, int part, int parts, byte[] body, long appendedMillis) {
  /** The largest body. */
  public static final int MAX_BODY_BYTES = 256 * 1024;

  /** The most parts: a request has at most 1 TiB. */
  public static final int MAX_PARTS = 1 << 22;

  /** Checks that it is one that can be written. */
  public Entry {
    String wrong = whatIsWrong(part, parts, body.length);
    if (wrong != null) {
      throw new IllegalArgumentException(wrong);
    }
  }

  /** Of which nobody asks when it was appended. */
  public Entry(Origin origin, EntryKind kind, int part, int parts, byte[] body) {
    this(origin, kind, part, parts, body, 0);
  }

  /** How many entries hold that many bytes; throws when no number of them does. */
  public static int partsOf(long requestBytes) {
    long parts = Math.max(1, Math.ceilDiv(requestBytes, MAX_BODY_BYTES));
    if (parts > MAX_PARTS) {
      throw new IllegalArgumentException("a request of " + requestBytes + " bytes is too large");
    }
    return (int) parts;
  }

  /** Why no entry is that part with that many bytes; null when there may be one. */
  static @Nullable String whatIsWrong(int part, int parts, int bodyBytes) {
    if (parts < 1 || parts > MAX_PARTS || part < 0 || part >= parts) {
      return "there is no part %d of %d".formatted(part, parts);
    }
    boolean isLast = part == parts - 1;
    boolean fits =
        isLast
            ? bodyBytes <= MAX_BODY_BYTES && (parts == 1 || bodyBytes > 0)
            : bodyBytes == MAX_BODY_BYTES;
    return fits ? null : "part %d of %d has no %d bytes".formatted(part, parts, bodyBytes);
  }

  /** By content. */
  @Override
  public boolean equals(Object other) {
    return other
            instanceof
            Entry(Origin from, EntryKind what, int index, int count, byte[] bytes, long millis)
        && origin.equals(from)
        && kind == what
        && part == index
        && parts == count
        && Arrays.equals(body, bytes)
        && appendedMillis == millis;
  }

  @Override
  public int hashCode() {
    return Objects.hash(origin, kind, part, parts, Arrays.hashCode(body), appendedMillis);
  }

  @Override
  public String toString() {
    return "%s %d/%d of %d bytes from %s".formatted(kind, part, parts, body.length, origin);
  }
}
