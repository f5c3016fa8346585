package dev.upcall.coding;

import dev.upcall.config.Compression;
import dev.upcall.content.UnitCodec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The codec of tests and of the simulator: it knows nothing but content whose bytes come in pairs
 * of the same, and keeps one of each.
 */
public final class TwinCodec implements UnitCodec {
  /** Its number. */
  public static final int NUMBER = 15;

  /** The only codec, with units of so many blocks. */
  public static Codecs codecs(int unitBlocks) {
    return new Codecs(List.of(new TwinCodec()), unitBlocks);
  }

  /** Bytes in pairs, which depend on a seed only. */
  public static byte[] bytes(long seed, int length) {
    byte[] half = new byte[(length + 1) / 2];
    new SplittableRandom(seed).nextBytes(half);
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = half[i / 2];
    }
    return bytes;
  }

  @Override
  public int number() {
    return NUMBER;
  }

  @Override
  public int encode(ByteBuffer from, ByteBuffer into, Compression degree) {
    int half = from.remaining() / 2;
    if (half > into.remaining()) {
      return 0;
    }
    for (int i = 0; i < half; i++) {
      byte first = from.get(from.position() + 2 * i);
      if (first != from.get(from.position() + 2 * i + 1)) {
        return 0;
      }
      into.put(into.position() + i, first);
    }
    return half;
  }

  @Override
  public boolean decode(ByteBuffer from, ByteBuffer into) {
    if (2 * from.remaining() != into.remaining()) {
      return false;
    }
    for (int i = 0; i < from.remaining(); i++) {
      byte twin = from.get(from.position() + i);
      into.put(into.position() + 2 * i, twin).put(into.position() + 2 * i + 1, twin);
    }
    return true;
  }
}
