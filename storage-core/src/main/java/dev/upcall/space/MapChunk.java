package dev.upcall.space;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * One block of the image of a free-space map, little-endian:
 *
 * <pre>
 *  0  u32 magic "UFSM"
 *  4  u32 CRC32C of everything behind it
 *  8  u64 volume id
 * 16  u64 sequence of the image for which the block was written
 * 24  u32 chunk number
 * 28  u32 blocks of the volume described by a chunk
 * 32  32 bytes reserved, zero
 * 64  one bit for each block of the volume, 1 = committed; bit 0 of byte 0 is the first
 *     zeros up to the end of the block
 * </pre>
 *
 * <p>Chunk i has two homes and goes to the one that its newest valid copy does not occupy.
 *
 * @param chunk which chunk
 * @param home 0 or 1: which of its two homes it goes to
 * @param crc its checksum
 * @param image the block's bytes; not to be changed
 */
public record MapChunk(int chunk, int home, int crc, byte[] image) {
  static final int HEADER_BYTES = 64;
  static final int MAGIC = 0x4D534655; // "UFSM"

  /** Where the block goes, counted in blocks from the start of the map's homes. */
  public long homeBlock() {
    return 2L * chunk + home;
  }

  static MapChunk encode(FreeMapConfig config, Bits committed, int chunk, int home, long seq) {
    byte[] image = new byte[config.blockBytes()];
    ByteBuffer out = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(0, MAGIC);
    out.putLong(8, config.volumeId());
    out.putLong(16, seq);
    out.putInt(24, chunk);
    out.putInt(28, config.chunkBlocks());
    int words = config.chunkBlocks() / 64;
    for (int i = 0; i < words; i++) {
      out.putLong(HEADER_BYTES + 8 * i, committed.word((long) chunk * words + i));
    }
    int crc = crc(image);
    out.putInt(4, crc);
    return new MapChunk(chunk, home, crc, image);
  }

  static int crc(byte[] image) {
    CRC32C crc = new CRC32C();
    crc.update(image, 8, image.length - 8);
    return (int) crc.getValue();
  }

  /** What one chunk contributes to the digest of all: any change of number or checksum shows. */
  static long digest(int chunk, int crc) {
    long mixed = ((long) chunk << 32 | crc & 0xFFFFFFFFL) + 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
