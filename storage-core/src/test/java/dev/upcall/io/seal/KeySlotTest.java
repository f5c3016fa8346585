package dev.upcall.io.seal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.house.Golden;
import dev.upcall.house.Mutator;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** The slots of a volume's key. */
class KeySlotTest {
  private static final byte[] VOLUME_KEY = random(1, VolumeKey.BYTES);

  private static byte[] random(long seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  private static VolumeKey volumeKey() {
    return new VolumeKey(VOLUME_KEY.clone());
  }

  private static KeyMaterial key(long seed) {
    return KeyMaterial.ofKey(random(seed, 32));
  }

  private static KeyMaterial passphrase(String words) {
    return KeyMaterial.ofPassphrase(words.getBytes(UTF_8));
  }

  private static byte[] salt(long seed) {
    return random(seed, KeySlot.SALT_BYTES);
  }

  private static ByteBuffer form(KeySlots slots) {
    ByteBuffer form = ByteBuffer.allocate(KeySlots.BYTES);
    slots.write(form, 0);
    return form;
  }

  private static KeySlots done(Completion<KeySlots> completion) {
    return (KeySlots) assertInstanceOf(Completion.Done.class, completion).value();
  }

  private static Failure failed(Completion<KeySlots> completion) {
    return assertInstanceOf(Completion.Failed.class, completion).failure();
  }

  @Test
  void whatIsWrittenIsRead_andOpensWithItsKeyOnly() {
    KeySlots slots = KeySlots.of(volumeKey(), key(2), salt(3));
    slots =
        done(
            new KeyChange.Add(passphrase("correct horse Ω"), salt(4)).apply(slots, volumeKey(), 0));
    KeySlots read = KeySlots.at(form(slots), 0);
    assertEquals(slots, read);
    assertNull(read.flaw());
    assertEquals(2, read.used());
    KeySlots.Opened byKey = assertNotNullOpened(read.open(key(2)));
    assertEquals(0, byKey.slot());
    assertArrayEquals(VOLUME_KEY, byKey.key().asSecretKey().getEncoded());
    KeySlots.Opened byWords = assertNotNullOpened(read.open(passphrase("correct horse Ω")));
    assertEquals(1, byWords.slot());
    assertArrayEquals(VOLUME_KEY, byWords.key().asSecretKey().getEncoded());
    assertNull(read.open(key(5)));
    assertNull(read.open(passphrase("correct horse O")));
    // A passphrase of the same bytes as a key is no key.
    assertNull(read.open(KeyMaterial.ofPassphrase(random(2, 32))));
  }

  private static KeySlots.Opened assertNotNullOpened(KeySlots.Opened opened) {
    assertNotNull(opened, "the right key was refused");
    return opened;
  }

  @Test
  void formIsGolden_andUnwrappedByHand() throws Exception {
    KeySlots slots = KeySlots.of(volumeKey(), key(2), salt(3));
    slots = done(new KeyChange.Add(passphrase("horse"), salt(4)).apply(slots, volumeKey(), 0));
    byte[] form = form(slots).array();
    Golden.check("key-slots", form);
    // RFC 3394, 2.2.2, over the derived key, with nothing but AES of one block.
    Mac mac = Mac.getInstance("HmacSHA512");
    mac.init(new SecretKeySpec(Arrays.copyOfRange(form, 8, 24), "HmacSHA512"));
    byte[] wrapping = Arrays.copyOf(mac.doFinal(random(2, 32)), 32);
    assertArrayEquals(VOLUME_KEY, unwrap(wrapping, Arrays.copyOfRange(form, 24, 96)));
  }

  private static byte[] unwrap(byte[] wrapping, byte[] wrapped) throws Exception {
    javax.crypto.Cipher aes = javax.crypto.Cipher.getInstance("AES/ECB/NoPadding");
    aes.init(javax.crypto.Cipher.DECRYPT_MODE, new SecretKeySpec(wrapping, "AES"));
    int n = wrapped.length / 8 - 1;
    byte[] a = Arrays.copyOf(wrapped, 8);
    byte[][] r = new byte[n + 1][];
    for (int i = 1; i <= n; i++) {
      r[i] = Arrays.copyOfRange(wrapped, 8 * i, 8 * i + 8);
    }
    for (int j = 5; j >= 0; j--) {
      for (int i = n; i >= 1; i--) {
        long t = (long) n * j + i;
        byte[] b = new byte[16];
        ByteBuffer.wrap(b).putLong(ByteBuffer.wrap(a).getLong() ^ t).put(r[i]);
        b = aes.doFinal(b);
        a = Arrays.copyOf(b, 8);
        r[i] = Arrays.copyOfRange(b, 8, 16);
      }
    }
    assertEquals("a6a6a6a6a6a6a6a6", HexFormat.of().formatHex(a), "the check of RFC 3394");
    byte[] key = new byte[8 * n];
    for (int i = 1; i <= n; i++) {
      System.arraycopy(r[i], 0, key, 8 * (i - 1), 8);
    }
    return key;
  }

  @Test
  void changes() {
    VolumeKey key = volumeKey();
    KeySlots one = KeySlots.of(key, key(2), salt(3));
    KeySlots rotated = done(new KeyChange.Replace(key(9), salt(4)).apply(one, key, 0));
    assertNull(rotated.open(key(2)));
    assertNotNull(rotated.open(key(9)));
    assertInstanceOf(Failure.Invalid.class, failed(new KeyChange.Remove(0).apply(one, key, 0)));
    assertInstanceOf(Failure.NotFound.class, failed(new KeyChange.Remove(3).apply(one, key, 0)));
    assertInstanceOf(
        Failure.Invalid.class, failed(new KeyChange.Replace(key(2), salt(4)).apply(one, key, 0)));
    KeySlots two = done(new KeyChange.Add(passphrase("horse"), salt(4)).apply(one, key, 0));
    Failure twice = failed(new KeyChange.Add(passphrase("horse"), salt(5)).apply(two, key, 0));
    assertTrue(twice.message().contains("opens slot 1 already"), twice::message);
    KeySlots all = one;
    for (int i = 1; i < KeySlots.COUNT; i++) {
      all = done(new KeyChange.Add(key(10 + i), salt(i)).apply(all, key, 0));
    }
    assertInstanceOf(
        Failure.Invalid.class, failed(new KeyChange.Add(key(50), salt(1)).apply(all, key, 0)));
    KeySlots fewer = done(new KeyChange.Remove(3).apply(all, key, 0));
    assertNull(fewer.open(key(13)));
    assertEquals(KeySlots.COUNT - 1, fewer.used());
    assertInstanceOf(
        Failure.Invalid.class,
        failed(new KeyChange.Replace(key(51), salt(1)).apply(fewer, key, 3)));
    KeySlots destroyed = done(new KeyChange.Destroy().apply(all, key, 0));
    assertEquals(KeySlots.NONE, destroyed);
    assertArrayEquals(new byte[KeySlots.BYTES], form(destroyed).array());
  }

  /** Each bit of a slot decides: a damaged one opens nothing, or is said to be none. */
  @Test
  void aSlotWithAWrongBitOpensNothing() {
    ByteBuffer form = form(KeySlots.of(volumeKey(), key(2), salt(3)));
    for (int bit = 0; bit < KeySlot.BYTES * Byte.SIZE; bit++) {
      ByteBuffer damaged = ByteBuffer.wrap(form.array().clone());
      int at = bit / Byte.SIZE;
      damaged.put(at, (byte) (damaged.get(at) ^ (1 << (bit % Byte.SIZE))));
      KeySlots read = KeySlots.at(damaged, 0);
      assertTrue(read.flaw() != null || read.open(key(2)) == null, "bit " + bit);
    }
  }

  @Test
  void anyBytesAreSlotsOrSaidToBeNone() {
    byte[] sound =
        form(done(
                new KeyChange.Add(passphrase("horse"), salt(4))
                    .apply(KeySlots.of(volumeKey(), key(2), salt(3)), volumeKey(), 0)))
            .array();
    Mutator mutator = new Mutator(5, KeySlots.BYTES, List.of(sound));
    mutator.run(
        20_000,
        bytes -> {
          KeySlots read = KeySlots.at(ByteBuffer.wrap(Arrays.copyOf(bytes, KeySlots.BYTES)), 0);
          if (read.flaw() != null) {
            throw new IllegalArgumentException(read.flaw());
          }
          for (KeySlot slot : read.slots()) {
            // The rounds are bounded: no slot asks for work without end.
            assertTrue(slot.rounds() >= 0 && slot.rounds() <= 10_000_000, "rounds");
          }
        });
    assertTrue(mutator.accepted() > 1000, "accepted " + mutator.accepted());
    assertTrue(mutator.refused() > 1000, "refused " + mutator.refused());
  }

  @Test
  void nothingOfAKeyIsShown_andMaterialIsZeroedAfterUse() {
    byte[] secret = "0123456789abcdef0123456789abcdef".getBytes(UTF_8);
    KeyMaterial material = KeyMaterial.ofKey(secret);
    KeySlots slots = KeySlots.of(volumeKey(), material, salt(3));
    String shown =
        material
            + " "
            + volumeKey()
            + " "
            + slots
            + " "
            + Seal.lockedBy(material)
            + " "
            + new KeyChange.Add(material, salt(1))
            + " "
            + new KeyChange.Replace(material, salt(1));
    assertFalse(shown.contains("0123"), shown);
    assertFalse(shown.contains("[B@"), shown);
    material.close();
    assertArrayEquals(new byte[32], secret);
    byte[] ofVolume = VOLUME_KEY.clone();
    new VolumeKey(ofVolume).close();
    assertArrayEquals(new byte[VolumeKey.BYTES], ofVolume);
  }
}
