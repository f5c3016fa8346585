package dev.upcall.io.seal;

import dev.upcall.io.Disk;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * XTS as the standard writes it down, number by number, with nothing in common with {@link Xts} but
 * the JDK's AES: what judges it.
 */
public final class NaiveXts {
  private static final int AES_BYTES = 16;
  private static final BigInteger POLYNOMIAL =
      BigInteger.ONE.shiftLeft(128).or(BigInteger.valueOf(0x87));

  private NaiveXts() {}

  /** The plain text of a block of a volume. */
  public static byte[] decryptBlock(byte[] key, long block, byte[] sealed) {
    if (sealed.length != Disk.BLOCK_BYTES) {
      throw new IllegalArgumentException("not a block: " + sealed.length);
    }
    return transform(Cipher.DECRYPT_MODE, key, block, sealed);
  }

  static byte[] transform(int mode, byte[] key, long unit, byte[] text) {
    try {
      Cipher data = Cipher.getInstance("AES/ECB/NoPadding");
      data.init(mode, new SecretKeySpec(Arrays.copyOf(key, 32), "AES"));
      Cipher tweaks = Cipher.getInstance("AES/ECB/NoPadding");
      tweaks.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(Arrays.copyOfRange(key, 32, 64), "AES"));
      BigInteger tweak = number(tweaks.doFinal(bytes(BigInteger.valueOf(unit))));
      byte[] result = new byte[text.length];
      for (int at = 0; at < text.length; at += AES_BYTES) {
        byte[] mask = bytes(tweak);
        byte[] some = xor(Arrays.copyOfRange(text, at, at + AES_BYTES), mask);
        System.arraycopy(xor(data.doFinal(some), mask), 0, result, at, AES_BYTES);
        tweak = tweak.shiftLeft(1);
        if (tweak.testBit(128)) {
          tweak = tweak.xor(POLYNOMIAL);
        }
      }
      return result;
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static byte[] xor(byte[] one, byte[] other) {
    byte[] result = new byte[one.length];
    for (int i = 0; i < one.length; i++) {
      result[i] = (byte) (one[i] ^ other[i]);
    }
    return result;
  }

  /** The lowest byte first. */
  private static byte[] bytes(BigInteger number) {
    byte[] bytes = new byte[AES_BYTES];
    for (int i = 0; i < AES_BYTES; i++) {
      bytes[i] = number.shiftRight(Byte.SIZE * i).byteValue();
    }
    return bytes;
  }

  private static BigInteger number(byte[] lowestFirst) {
    BigInteger number = BigInteger.ZERO;
    for (int i = AES_BYTES - 1; i >= 0; i--) {
      number = number.shiftLeft(Byte.SIZE).or(BigInteger.valueOf(lowestFirst[i] & 0xFF));
    }
    return number;
  }
}
