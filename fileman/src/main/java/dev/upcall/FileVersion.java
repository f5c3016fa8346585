package dev.upcall;

import java.util.Objects;
import java.util.Optional;

/**
 * One state of one file, in this store for ever: no other content or metadata ever has the same.
 *
 * @param id the segment's id, never used again
 * @param version which of its states
 */
public record FileVersion(long id, long version) {
  private static final int HEX = 16;

  /** Two hexadecimal numbers with a dash between; a strong validator for HTTP, without quotes. */
  public String tag() {
    return Long.toHexString(id) + "-" + Long.toHexString(version);
  }

  /** What {@link #tag} gave; nothing for any other text. */
  public static Optional<FileVersion> parse(String tag) {
    Objects.requireNonNull(tag, "tag");
    int dash = tag.indexOf('-');
    if (dash < 1) {
      return Optional.empty();
    }
    try {
      long id = Long.parseUnsignedLong(tag, 0, dash, HEX);
      long version = Long.parseUnsignedLong(tag, dash + 1, tag.length(), HEX);
      FileVersion parsed = new FileVersion(id, version);
      return parsed.tag().equals(tag)
          ? Optional.of(parsed)
          : Optional.empty(); // one state has one tag
    } catch (NumberFormatException noNumber) {
      return Optional.empty();
    }
  }
}
