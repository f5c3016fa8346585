package dev.upcall.txn.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Checksums;
import dev.upcall.base.Invariants;
import dev.upcall.io.Disk;
import dev.upcall.io.seal.KeyMaterial;
import dev.upcall.io.seal.KeySlots;
import dev.upcall.io.seal.VolumeKey;
import dev.upcall.space.Extent;
import dev.upcall.txn.volume.LogPoint;
import dev.upcall.txn.volume.StoreFeature;
import dev.upcall.txn.volume.StoreRoot;
import dev.upcall.txn.volume.Superblock;
import dev.upcall.txn.volume.SuperblockCodec;
import dev.upcall.txn.volume.VolumeLayout;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The formats, fixed byte by byte: a change here needs a new format version. */
class LogFormatTest {
  @Test
  void sizesAreFixed() {
    assertEquals(128, BatchHeader.BYTES);
    assertEquals(16, LogFrames.HEAD_BYTES);
    assertEquals(56, StoreRoot.MAX_REFERENCE_BYTES);
    assertEquals(32, Superblock.MAX_ROOTS);
    assertEquals(4, Superblock.FORMAT_VERSION);
    assertEquals(3, Superblock.PLAIN_FORMAT_VERSION);
    assertEquals(1, Superblock.OLDEST_FORMAT_VERSION);
    NamedExtent named = new NamedExtent(new Extent(9, 3), new int[3]);
    assertEquals(12 + 3 * 4, NamedExtent.encodedBytes(List.of(named)));
    assertEquals(16 + 5 + 24, LogFrames.bytes(5, List.of(named)));
  }

  @Test
  void layoutIsFixed() {
    VolumeLayout layout = new VolumeLayout(64, 512, 5000);
    assertEquals(4, layout.logStart());
    assertEquals(4 + 63, layout.logBlock(127));
    assertEquals(
        List.of(0L, 1L, 68L, 69L),
        List.of(
            layout.superblock(0),
            layout.superblock(1),
            layout.superblock(2),
            layout.superblock(3)));
    assertEquals(70, layout.mapStart());
    assertEquals(10, layout.mapChunks());
    assertEquals(70 + 2 * 10, layout.mapStart(1));
    assertEquals(110, layout.dataStart());
    assertEquals(90, new VolumeLayout(64, 512, 5000, 1).dataStart());
    assertEquals(8, layout.maxBatchBlocks());
    for (int logBlocks : new int[] {0, 7, (1 << 20) + 1}) {
      Assertions.assertThrows(
          Invariants.Violation.class, () -> new VolumeLayout(logBlocks, 512, 5000));
    }
    Assertions.assertThrows(Invariants.Violation.class, () -> new VolumeLayout(64, 12, 5000));
    Assertions.assertThrows(Invariants.Violation.class, () -> new VolumeLayout(64, 512, 72));
    for (int copies : new int[] {0, 3}) {
      Assertions.assertThrows(
          Invariants.Violation.class, () -> new VolumeLayout(64, 512, 5000, copies));
    }
  }

  @Test
  void superblockWithFeaturesIsGolden() throws IOException {
    Superblock superblock = superblock(2, StoreFeature.PIECES.bit());
    ByteBuffer block = SuperblockCodec.encode(superblock, 3);
    assertGolden("superblock-features.hex", block);
    long address = superblock.layout().superblock(3);
    assertEquals(
        new SuperblockCodec.Found.Valid(superblock, 4), SuperblockCodec.decode(block, address));
    assertEquals(
        new SuperblockCodec.Found.Unknown(0x210),
        SuperblockCodec.decode(withFeatures(block, 0x311), address));
    assertEquals(
        new SuperblockCodec.Found.Damaged("format version 4 without a feature"),
        SuperblockCodec.decode(withFeatures(block, 0), address));
  }

  @Test
  void superblockOfAnEncryptedVolumeIsGolden() throws IOException {
    VolumeKey key = new VolumeKey(counting(VolumeKey.BYTES));
    KeySlots slots =
        KeySlots.of(key, KeyMaterial.ofKey(new byte[KeyMaterial.MIN_KEY_BYTES]), new byte[16]);
    Superblock plain = superblock(2);
    Superblock superblock =
        new Superblock(
            plain.volumeId(),
            plain.sequence(),
            plain.scn(),
            plain.log(),
            plain.roots(),
            plain.mapSequence(),
            plain.mapDigest(),
            plain.layout(),
            plain.volumeBlocks(),
            plain.capBlocks(),
            plain.nextInodeId(),
            StoreFeature.SEALED.bit(),
            slots);
    ByteBuffer block = SuperblockCodec.encode(superblock, 3);
    assertGolden("superblock-sealed.hex", block);
    long address = superblock.layout().superblock(3);
    assertEquals(
        new SuperblockCodec.Found.Valid(superblock, 4), SuperblockCodec.decode(block, address));
    // A slot that no store writes is damage; without the bit nobody looks.
    block.put(2304 + 96, (byte) 9);
    assertEquals(
        new SuperblockCodec.Found.Damaged("key slot 1 has kind 9"),
        SuperblockCodec.decode(withFeatures(block, StoreFeature.SEALED.bit()), address));
    assertInstanceOf(
        SuperblockCodec.Found.Valid.class,
        SuperblockCodec.decode(withFeatures(block, StoreFeature.PIECES.bit()), address));
  }

  private static byte[] counting(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  private static ByteBuffer withFeatures(ByteBuffer block, long features) {
    block.putLong(2176, features);
    return block.putInt(4, Checksums.crc32c(block.clear(), 8, Disk.BLOCK_BYTES - 8));
  }

  @Test
  void superblockIsGolden() throws IOException {
    Superblock superblock = superblock(2);
    ByteBuffer block = SuperblockCodec.encode(superblock, 3);
    assertGolden("superblock.hex", block);
    assertEquals(
        new SuperblockCodec.Found.Valid(superblock, 3),
        SuperblockCodec.decode(block, superblock.layout().superblock(3)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void superblocksBeforeSecondCopiesOfTheMapAreGolden(int version) throws IOException {
    Superblock superblock = superblock(1);
    ByteBuffer block = SuperblockCodec.encode(superblock, 3);
    block.putInt(16, version).putShort(78, (short) 0);
    block.putInt(4, Checksums.crc32c(block, 8, Disk.BLOCK_BYTES - 8));
    assertGolden("superblock-version-" + version + ".hex", block.clear());
    assertEquals(
        new SuperblockCodec.Found.Valid(superblock, version),
        SuperblockCodec.decode(block, superblock.layout().superblock(3)));
  }

  private static Superblock superblock(int mapCopies) {
    return superblock(mapCopies, /* features= */ 0);
  }

  private static Superblock superblock(int mapCopies, long features) {
    return new Superblock(
        0x1122334455667788L,
        0x0102030405060708L,
        0x1112131415161718L,
        new LogPoint(0x2122232425262728L, 0x3132333435363738L, 0x4142434445464748L, 0x51525354),
        List.of(
            new StoreRoot(1, new byte[] {1, 2, 3, 4, 5, 6, 7, 8}),
            new StoreRoot(0x61626364, new byte[0])),
        0x7172737475767778L,
        0x0182838485868788L,
        new VolumeLayout(0x1000, 0x800, 0x0f9293949596L, mapCopies),
        0xa1a2a3a4a5L,
        0xb1b2b3b4b5L,
        0xc1c2c3c4c5c6L,
        features);
  }

  @Test
  void batchIsGolden() throws IOException {
    LogBatch batch = new LogBatch(Disk.newBuffer(2 * Disk.BLOCK_BYTES));
    ByteBuffer record = ByteBuffer.wrap("a record".getBytes(StandardCharsets.US_ASCII));
    batch.add(0x0102030405060708L, record, List.of(), completion -> {}, 0);
    NamedExtent named = new NamedExtent(new Extent(0x1112131415161718L, 2), new int[] {1, -1});
    batch.add(0x0102030405060709L, record, List.of(named), completion -> {}, 0);
    LogPoint at =
        new LogPoint(0x2122232425262728L, 0x3132333435363738L, 0x4142434445464748L, 0x51525354);
    BatchHeader head =
        batch.seal(
            new BatchHeader(
                0x6162636465666768L,
                at,
                0x7172737475767778L,
                0x0102030405060708L,
                batch.lastScn(),
                0x0182838485868788L,
                batch.bytes(),
                batch.recordCount(),
                BatchHeader.NAMES_EXTENTS | BatchHeader.EXTENTS_SYNCED,
                0));
    assertEquals(1, head.blocks());
    assertGolden("log-batch.hex", batch.run());
    BatchHeader read = BatchHeader.decode(batch.buffer(), 1);
    assertEquals(head, read);
    assertEquals(head.crc(), head.computeCrc(batch.buffer()));
    assertEquals(
        new LogPoint(at.position() + 1, at.sequence() + 1, head.incarnation(), head.crc()),
        head.next());
    List<LogRecord> records =
        LogFrames.decode(
            batch.buffer().slice(BatchHeader.BYTES, head.bytes() - BatchHeader.BYTES), 2, true);
    assertNotNull(records);
    assertEquals(List.of(named), records.getLast().named());
    assertEquals(record, records.getLast().bytes());
  }

  @Test
  void forgedBodiesNeverConfuseTheDecoder() {
    SplittableRandom random = new SplittableRandom(11);
    int refused = 0;
    for (int i = 0; i < 50_000; i++) {
      ByteBuffer body = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
      LogFrames.encode(body, 5, ByteBuffer.allocate(20), List.of());
      NamedExtent named = new NamedExtent(new Extent(7, 4), new int[4]);
      LogFrames.encode(body, 6, ByteBuffer.allocate(30), List.of(named));
      body.flip();
      for (int j = random.nextInt(3); j >= 0; j--) {
        int at = random.nextInt(body.limit() - 4);
        body.putInt(at, random.nextInt() >> random.nextInt(32));
      }
      List<LogRecord> records = LogFrames.decode(body, 2, false);
      refused += records == null ? 1 : 0;
      assertTrue(records == null || records.size() == 2);
    }
    assertTrue(refused > 1000, "refused " + refused);
  }

  /** Compares with a file of hexadecimal lines; lines of zeros are left out. */
  private static void assertGolden(String name, ByteBuffer bytes) throws IOException {
    StringBuilder text = new StringBuilder();
    byte[] line = new byte[16];
    for (int at = 0; at < bytes.limit(); at += line.length) {
      bytes.get(at, line);
      String hex = HexFormat.ofDelimiter(" ").formatHex(line);
      if (!hex.replace("0", "").isBlank()) {
        text.append("%04x: %s\n".formatted(at, hex));
      }
    }
    try (InputStream golden = LogFormatTest.class.getResourceAsStream("/golden/" + name)) {
      assertNotNull(golden, "no golden file " + name + "; it would hold\n" + text);
      String expected = new String(golden.readAllBytes(), StandardCharsets.US_ASCII);
      assertEquals(expected, text.toString(), "the format changed");
    }
  }
}
