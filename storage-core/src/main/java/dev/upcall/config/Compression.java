package dev.upcall.config;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How much work is done to store a file in fewer blocks: an attribute of the file, which
 * directories hand down to what is made in them. It says how content is placed that comes from now
 * on; what is placed already stays as it is.
 */
public enum Compression {
  /** Content is stored as it is. */
  NONE,
  /** Little work: the first degree of zstd. */
  FAST,
  /** The third degree of zstd. */
  BALANCED;

  /** The attribute's name; its value is {@link #text} in ASCII. */
  public static final String ATTRIBUTE = "compression";

  /** In a word: {@code none}, {@code fast}, {@code balanced}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The value of the attribute. */
  public byte[] value() {
    return text().getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The option in attributes; empty where there is none, or one that only a later version knows.
   */
  public static Optional<Compression> of(Map<String, byte[]> attributes) {
    Objects.requireNonNull(attributes, "attributes");
    byte[] value = attributes.get(ATTRIBUTE);
    return value == null ? Optional.empty() : parse(value);
  }

  /** The degree that the value of an attribute says; empty if it says none. */
  public static Optional<Compression> parse(byte[] value) {
    Objects.requireNonNull(value, "value");
    return Arrays.stream(values()).filter(each -> Arrays.equals(each.value(), value)).findFirst();
  }
}
