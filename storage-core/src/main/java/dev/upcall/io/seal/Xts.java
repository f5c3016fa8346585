package dev.upcall.io.seal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * XTS-AES-256 (IEEE 1619, NIST SP 800-38E) over data units of whole AES blocks. The JDK has AES but
 * not this mode, so the arithmetic of the tweaks is here. One thread at a time; reads from and
 * writes to any buffers, the same or others.
 */
public final class Xts {
  /** Both keys: the first for the data, the second for the tweaks. */
  public static final int KEY_BYTES = 64;

  private static final int AES_BYTES = 16;
  private static final int AES_KEY_BYTES = 32;

  /** x^128 = x^7 + x^2 + x + 1. */
  private static final long POLYNOMIAL = 0x87;

  /** Doublings that are done in one step. */
  private static final int STRIDE = 8;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final int unitBytes;
  private final Cipher encrypting;
  private final Cipher decrypting;
  private final Cipher tweaking;
  private final byte[] in;
  private final byte[] out;
  private final byte[] tweaks;
  private final byte[] number = new byte[AES_BYTES];

  /**
   * A cipher.
   *
   * @param key {@link #KEY_BYTES} bytes; not kept
   * @param unitBytes bytes of a data unit, a multiple of 16
   */
  public Xts(byte[] key, int unitBytes) {
    if (key.length != KEY_BYTES || unitBytes <= 0 || unitBytes % AES_BYTES != 0) {
      throw new IllegalArgumentException("key or data unit has a wrong size");
    }
    this.unitBytes = unitBytes;
    this.in = new byte[unitBytes];
    this.out = new byte[unitBytes];
    this.tweaks = new byte[unitBytes];
    SecretKeySpec data = new SecretKeySpec(key, 0, AES_KEY_BYTES, "AES");
    SecretKeySpec tweak = new SecretKeySpec(key, AES_KEY_BYTES, AES_KEY_BYTES, "AES");
    try {
      encrypting = cipher(Cipher.ENCRYPT_MODE, data);
      decrypting = cipher(Cipher.DECRYPT_MODE, data);
      tweaking = cipher(Cipher.ENCRYPT_MODE, tweak);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("this Java has no AES", missing);
    }
  }

  private static Cipher cipher(int mode, SecretKeySpec key) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
    cipher.init(mode, key);
    return cipher;
  }

  /**
   * Encrypts a data unit.
   *
   * @param unit its number
   * @param from where it is, from {@code fromAt} on; left as it is
   * @param to where it goes, from {@code toAt} on
   */
  public void encrypt(long unit, ByteBuffer from, int fromAt, ByteBuffer to, int toAt) {
    transform(encrypting, unit, from, fromAt, to, toAt);
  }

  /** Decrypts a data unit, as {@link #encrypt}; both buffers may be the same. */
  public void decrypt(long unit, ByteBuffer from, int fromAt, ByteBuffer to, int toAt) {
    transform(decrypting, unit, from, fromAt, to, toAt);
  }

  private void transform(
      Cipher cipher, long unit, ByteBuffer from, int fromAt, ByteBuffer to, int toAt) {
    tweaksOf(unit);
    from.get(fromAt, in);
    xor(in, tweaks);
    try {
      cipher.update(in, 0, unitBytes, out);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("whole blocks of AES refused", impossible);
    }
    xor(out, tweaks);
    to.put(toAt, out);
  }

  /** Both are arrays of bytes, or the compiler makes no use here of the processor's vectors. */
  private static void xor(byte[] text, byte[] tweaks) {
    for (int at = 0; at < text.length; at += Long.BYTES) {
      LONG.set(text, at, (long) LONG.get(text, at) ^ (long) LONG.get(tweaks, at));
    }
  }

  private void tweaksOf(long unit) {
    LONG.set(number, 0, unit);
    try {
      tweaking.update(number, 0, AES_BYTES, tweaks);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("a block of AES refused", impossible);
    }
    long low = (long) LONG.get(tweaks, 0);
    long high = (long) LONG.get(tweaks, Long.BYTES);
    int doubled = Math.min(STRIDE * AES_BYTES, unitBytes);
    for (int at = AES_BYTES; at < doubled; at += AES_BYTES) {
      long carry = (high >> 63) & POLYNOMIAL;
      high = (high << 1) | (low >>> 63);
      low = (low << 1) ^ carry;
      LONG.set(tweaks, at, low);
      LONG.set(tweaks, at + Long.BYTES, high);
    }
    // The others each from the one eight before, so that the processor need not wait for the last.
    for (int at = doubled; at < unitBytes; at += AES_BYTES) {
      low = (long) LONG.get(tweaks, at - doubled);
      high = (long) LONG.get(tweaks, at - doubled + Long.BYTES);
      long carry = high >>> (Long.SIZE - STRIDE);
      LONG.set(tweaks, at, (low << STRIDE) ^ carry ^ (carry << 1) ^ (carry << 2) ^ (carry << 7));
      LONG.set(tweaks, at + Long.BYTES, (high << STRIDE) | (low >>> (Long.SIZE - STRIDE)));
    }
  }
}
