package dev.upcall.config;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Whether files that are put whole share the blocks of a file that has the same content: an
 * attribute of files, which directories hand down to what is made in them.
 */
public enum Dedup {
  /** Each file has blocks of its own. */
  NONE,
  /** A file with the same content is looked for, and compared byte by byte. */
  FILE;

  /** The attribute's name; its value is {@link #text} in ASCII. */
  public static final String ATTRIBUTE = "dedup";

  /** In words: {@code none}, {@code file}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The value of the attribute. */
  public byte[] value() {
    return text().getBytes(StandardCharsets.US_ASCII);
  }

  /** The option that attributes say; empty where they say nothing that this version understands. */
  public static Optional<Dedup> of(Map<String, byte[]> attributes) {
    Objects.requireNonNull(attributes, "attributes");
    byte[] value = attributes.get(ATTRIBUTE);
    return value == null ? Optional.empty() : parse(value);
  }

  /** The option that the value of an attribute says; empty if it says none. */
  public static Optional<Dedup> parse(byte[] value) {
    Objects.requireNonNull(value, "value");
    return Arrays.stream(values()).filter(each -> Arrays.equals(each.value(), value)).findFirst();
  }
}
