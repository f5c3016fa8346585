package dev.upcall.io.seal;

import dev.upcall.base.Invariants;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * One wrapped copy of a volume's key, {@link #BYTES} bytes in the superblock.
 *
 * <pre>
 *  0  u8   kind: 0 free, 1 key, 2 passphrase
 *  1  3 bytes, zero
 *  4  u32  rounds of PBKDF2; 0 unless it is a passphrase
 *  8  16 bytes salt
 * 24  72 bytes: the volume's key under the one that is derived (AES key wrap, RFC 3394)
 * </pre>
 *
 * The wrapping has a check of its own: another key than the right one is noticed.
 */
public final class KeySlot {
  /** Bytes of a slot. */
  public static final int BYTES = 96;

  /** Bytes of a salt. */
  public static final int SALT_BYTES = 16;

  /** Rounds for a passphrase in a new slot. */
  public static final int ROUNDS = 210_000;

  private static final int MAX_ROUNDS = 10_000_000;
  private static final int SALT_AT = 8;
  private static final int WRAPPED_AT = SALT_AT + SALT_BYTES;
  private static final int WRAPPING_KEY_BYTES = 32;

  /** A slot with nothing in it. */
  public static final KeySlot FREE = new KeySlot(new byte[BYTES]);

  /** The kinds of secret that open a slot. */
  public enum Kind {
    /** Nothing is in it. */
    FREE,
    /** A key of random bytes. */
    KEY,
    /** A passphrase. */
    PASSPHRASE
  }

  private final byte[] form;

  private KeySlot(byte[] form) {
    this.form = form;
  }

  /** A slot as it stands in a superblock, from a position on; {@link #flaw} says if it is none. */
  static KeySlot at(ByteBuffer block, int position) {
    byte[] form = new byte[BYTES];
    block.get(position, form);
    return new KeySlot(form);
  }

  /** Wraps a volume's key. Takes a while for a passphrase: not on a dispatcher's thread. */
  static KeySlot wrap(VolumeKey key, KeyMaterial material, byte[] salt) {
    Invariants.check(salt.length == SALT_BYTES, "bytes of salt", salt.length);
    ByteBuffer form = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int rounds = material.isPassphrase() ? ROUNDS : 0;
    Kind kind = material.isPassphrase() ? Kind.PASSPHRASE : Kind.KEY;
    form.put((byte) kind.ordinal()).position(4).putInt(rounds).put(salt);
    byte[] wrapping = derive(material, salt, rounds);
    try {
      Cipher cipher = Cipher.getInstance("AES/KW/NoPadding");
      cipher.init(Cipher.WRAP_MODE, new SecretKeySpec(wrapping, "AES"));
      form.put(cipher.wrap(key.asSecretKey()));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("this Java cannot wrap keys", missing);
    } finally {
      Arrays.fill(wrapping, (byte) 0);
    }
    Invariants.check(!form.hasRemaining(), "bytes of a slot", form.remaining());
    return new KeySlot(form.array());
  }

  /**
   * The volume's key, or null where this is not what the slot was made with. Takes a while for a
   * passphrase: not on a dispatcher's thread.
   */
  @Nullable VolumeKey unwrap(KeyMaterial material) {
    if (kind() != (material.isPassphrase() ? Kind.PASSPHRASE : Kind.KEY)) {
      return null;
    }
    byte[] salt = Arrays.copyOfRange(form, SALT_AT, WRAPPED_AT);
    byte[] wrapping = derive(material, salt, rounds());
    try {
      Cipher cipher = Cipher.getInstance("AES/KW/NoPadding");
      cipher.init(Cipher.UNWRAP_MODE, new SecretKeySpec(wrapping, "AES"));
      byte[] wrapped = Arrays.copyOfRange(form, WRAPPED_AT, BYTES);
      return new VolumeKey(cipher.unwrap(wrapped, "AES", Cipher.SECRET_KEY).getEncoded());
    } catch (InvalidKeyException another) {
      return null;
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("this Java cannot unwrap keys", missing);
    } finally {
      Arrays.fill(wrapping, (byte) 0);
    }
  }

  private static byte[] derive(KeyMaterial material, byte[] salt, int rounds) {
    try {
      if (!material.isPassphrase()) {
        Mac mac = Mac.getInstance("HmacSHA512");
        mac.init(new SecretKeySpec(salt, "HmacSHA512"));
        byte[] whole = mac.doFinal(material.bytes());
        byte[] key = Arrays.copyOf(whole, WRAPPING_KEY_BYTES);
        Arrays.fill(whole, (byte) 0);
        return key;
      }
      CharBuffer decoded = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(material.bytes()));
      char[] letters = new char[decoded.remaining()];
      decoded.get(0, letters);
      Arrays.fill(decoded.array(), '\0');
      PBEKeySpec spec = new PBEKeySpec(letters, salt, rounds, WRAPPING_KEY_BYTES * Byte.SIZE);
      Arrays.fill(letters, '\0');
      try {
        return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512")
            .generateSecret(spec)
            .getEncoded();
      } finally {
        spec.clearPassword();
      }
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("this Java cannot derive keys", missing);
    }
  }

  /** The kind of secret that opens it; only of a slot without a {@link #flaw}. */
  public Kind kind() {
    return Kind.values()[form[0]];
  }

  /** Rounds of the derivation; 0 unless it is opened with a passphrase. */
  public int rounds() {
    return ByteBuffer.wrap(form).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
  }

  /** Why these bytes are no slot, or null. */
  @Nullable String flaw() {
    int kind = form[0];
    if (kind < 0 || kind >= Kind.values().length) {
      return "kind %d".formatted(kind);
    }
    if (form[1] != 0 || form[2] != 0 || form[3] != 0) {
      return "bytes that are not zero";
    }
    int rounds = rounds();
    boolean sound =
        switch (kind()) {
          case FREE -> Arrays.equals(form, FREE.form);
          case KEY -> rounds == 0;
          case PASSPHRASE -> rounds >= ROUNDS && rounds <= MAX_ROUNDS;
        };
    return sound ? null : "%d rounds, or bytes that are not zero".formatted(rounds);
  }

  void write(ByteBuffer block, int position) {
    block.put(position, form);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeySlot slot && Arrays.equals(slot.form, form);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(form);
  }

  @Override
  public String toString() {
    return "slot for " + kind();
  }
}
