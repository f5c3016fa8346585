package dev.upcall.io.seal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.upcall.io.Disk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.SplittableRandom;
import javax.crypto.Cipher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cipher against the vectors of IEEE 1619, a second reading of it, and OpenSSL's library. */
class XtsTest {
  private static final String PUBLISHED_KEY =
      "2718281828459045235360287471352662497757247093699959574966967627"
          + "3141592653589793238462643383279502884197169399375105820974944592";

  /** Vectors 10 to 14 are those of AES-256: one key, one text, and numbers of growing length. */
  @ParameterizedTest
  @CsvSource({"10, ff", "11, ffff", "12, ffffff", "13, ffffffff", "14, ffffffffff"})
  void publishedVectors(int vector, String number) throws IOException {
    byte[] plain = new byte[512];
    for (int i = 0; i < plain.length; i++) {
      plain[i] = (byte) i;
    }
    byte[] sealed = published(vector);
    Xts xts = new Xts(HexFormat.of().parseHex(PUBLISHED_KEY), plain.length);
    long unit = Long.parseLong(number, 16);
    ByteBuffer buffer = ByteBuffer.allocateDirect(plain.length).put(0, plain);
    xts.encrypt(unit, buffer, 0, buffer, 0);
    assertArrayEquals(sealed, bytes(buffer));
    xts.decrypt(unit, buffer, 0, buffer, 0);
    assertArrayEquals(plain, bytes(buffer));
  }

  private static byte[] published(int vector) throws IOException {
    String name = "/xts/vector-" + vector + ".hex";
    try (InputStream in = XtsTest.class.getResourceAsStream(name)) {
      String text = new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
      return HexFormat.of().parseHex(text.strip());
    }
  }

  @Test
  void blocksOfAnyNumberAreWhatTheStandardSays() {
    SplittableRandom random = new SplittableRandom(7);
    LibcryptoXts other = LibcryptoXts.find();
    for (int i = 0; i < 20; i++) {
      byte[] key = random(random, Xts.KEY_BYTES);
      byte[] plain = random(random, Disk.BLOCK_BYTES);
      long block = i == 0 ? 0 : random.nextLong() >>> random.nextInt(1, 64);
      Xts xts = new Xts(key, Disk.BLOCK_BYTES);
      ByteBuffer from = ByteBuffer.allocateDirect(2 * Disk.BLOCK_BYTES).put(100, plain);
      ByteBuffer to = ByteBuffer.allocateDirect(2 * Disk.BLOCK_BYTES);
      xts.encrypt(block, from, 100, to, 200);
      byte[] sealed = new byte[Disk.BLOCK_BYTES];
      to.get(200, sealed);
      assertArrayEquals(NaiveXts.transform(Cipher.ENCRYPT_MODE, key, block, plain), sealed);
      assertArrayEquals(plain, NaiveXts.decryptBlock(key, block, sealed));
      if (other != null) {
        assertArrayEquals(plain, other.decryptBlock(key, block, sealed));
      }
      byte[] left = new byte[Disk.BLOCK_BYTES];
      from.get(100, left);
      assertArrayEquals(plain, left, "what is encrypted was changed");
    }
  }

  @Test
  void anotherNumberAnotherText() {
    byte[] key = random(new SplittableRandom(8), Xts.KEY_BYTES);
    Xts xts = new Xts(key, Disk.BLOCK_BYTES);
    ByteBuffer zeros = ByteBuffer.allocate(Disk.BLOCK_BYTES);
    ByteBuffer one = ByteBuffer.allocate(Disk.BLOCK_BYTES);
    ByteBuffer other = ByteBuffer.allocate(Disk.BLOCK_BYTES);
    xts.encrypt(4711, zeros, 0, one, 0);
    xts.encrypt(4712, zeros, 0, other, 0);
    assertFalse(Arrays.equals(one.array(), other.array()));
    xts.decrypt(4712, one, 0, one, 0);
    assertEquals(0, agreeing(one.array()), "AES blocks of a block read at a wrong number");
  }

  private static int agreeing(byte[] bytes) {
    int zeros = 0;
    for (int at = 0; at < bytes.length; at += 16) {
      zeros += Arrays.equals(bytes, at, at + 16, new byte[16], 0, 16) ? 1 : 0;
    }
    return zeros;
  }

  private static byte[] random(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.capacity()];
    buffer.get(0, bytes);
    return bytes;
  }
}
