package dev.upcall.table;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * The components of a compound key. The last one stands as it is. One before it says where it ends:
 * by its fixed length, or as bytes in which 0x00 is 0x00 0x01, with 0x00 0x00 behind them. So no
 * component is the beginning of another one, and all keep their order.
 */
final class Components {
  private static final byte ESCAPED = 1;

  /** As the rest of an array that was made longer. */
  private static final byte END = 0;

  private final byte[] bytes;
  private int at;

  Components(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A value in a form that says where it ends. */
  static <T> byte[] delimited(Codec<T> codec, T value) {
    byte[] plain = codec.encode(value);
    OptionalInt fixed = codec.fixedBytes();
    if (fixed.isEmpty()) {
      return escaped(plain);
    }
    if (plain.length != fixed.getAsInt()) {
      throw new IllegalArgumentException(
          "a codec of %d bytes has made %d".formatted(fixed.getAsInt(), plain.length));
    }
    return plain;
  }

  /** Bytes behind each other. */
  static byte[] joined(byte[] left, byte[] right) {
    byte[] both = Arrays.copyOf(left, left.length + right.length);
    System.arraycopy(right, 0, both, left.length, right.length);
    return both;
  }

  /** The length of components that have one each. */
  static OptionalInt sum(Codec<?>... codecs) {
    int sum = 0;
    for (Codec<?> codec : codecs) {
      OptionalInt fixed = codec.fixedBytes();
      if (fixed.isEmpty()) {
        return fixed;
      }
      sum += fixed.getAsInt();
    }
    return OptionalInt.of(sum);
  }

  /** The value of the next component, which is not the last. */
  <T> T next(Codec<T> codec) {
    OptionalInt fixed = codec.fixedBytes();
    if (fixed.isEmpty()) {
      return codec.decode(unescaped());
    }
    if (bytes.length - at < fixed.getAsInt()) {
      throw new IllegalArgumentException("a component is cut off");
    }
    int from = at;
    at += fixed.getAsInt();
    return codec.decode(Arrays.copyOfRange(bytes, from, at));
  }

  /** The value of all that is left. */
  <T> T last(Codec<T> codec) {
    return codec.decode(Arrays.copyOfRange(bytes, at, bytes.length));
  }

  /** Refuses bytes behind what is expected. */
  void end() {
    if (at != bytes.length) {
      throw new IllegalArgumentException(bytes.length - at + " bytes too many");
    }
  }

  /** How a component of variable length begins that begins with these bytes. */
  static byte[] begin(byte[] plain) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length + 2);
    for (byte one : plain) {
      out.write(one);
      if (one == 0) {
        out.write(ESCAPED);
      }
    }
    return out.toByteArray();
  }

  private static byte[] escaped(byte[] plain) {
    byte[] begin = begin(plain);
    return Arrays.copyOf(begin, begin.length + 2); // behind it 0x00 and END
  }

  private byte[] unescaped() {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length - at);
    while (true) {
      byte one = take();
      if (one != 0) {
        out.write(one);
        continue;
      }
      switch (take()) {
        case END -> {
          return out.toByteArray();
        }
        case ESCAPED -> out.write(0);
        default -> throw new IllegalArgumentException("a component has an unknown escape");
      }
    }
  }

  private byte take() {
    if (at == bytes.length) {
      throw new IllegalArgumentException("a component has no end");
    }
    return bytes[at++];
  }
}
