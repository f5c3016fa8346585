package dev.upcall.space;

import dev.upcall.base.Checksums;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

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

  /** In the same form: the blocks of a snapshot. */
  static final int SNAPSHOT_MAGIC = 0x42535355; // "USSB"

  /**
   * What a block says that is a chunk of the volume.
   *
   * @param chunk which one
   * @param seq for which image it was written
   * @param words one bit for each block
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Decoded(int chunk, long seq, int crc, long[] words) {}

  /** Where the block goes, counted in blocks from the start of a copy's homes. */
  public long homeBlock() {
    return 2L * chunk + home;
  }

  static MapChunk encode(FreeMapConfig config, Bits committed, int chunk, int home, long seq) {
    int words = config.chunkBlocks() / 64;
    byte[] image = encode(MAGIC, config, chunk, seq, committed.copy((long) chunk * words, words));
    return new MapChunk(
        chunk, home, ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN).getInt(4), image);
  }

  /** The bytes of a block. */
  static byte[] encode(int magic, FreeMapConfig config, int chunk, long seq, long[] words) {
    byte[] image = new byte[config.blockBytes()];
    ByteBuffer out = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(0, magic);
    out.putLong(8, config.volumeId());
    out.putLong(16, seq);
    out.putInt(24, chunk);
    out.putInt(28, config.chunkBlocks());
    out.position(HEADER_BYTES).asLongBuffer().put(words);
    out.putInt(4, crc(image));
    return image;
  }

  /**
   * Reads a block from its position on, which stays; null if it is none of that kind and volume.
   */
  static @Nullable Decoded decode(int magic, FreeMapConfig config, ByteBuffer block) {
    byte[] image = new byte[config.blockBytes()];
    block.get(block.position(), image);
    ByteBuffer in = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    int crc = in.getInt(4);
    if (in.getInt(0) != magic
        || crc != crc(image)
        || in.getLong(8) != config.volumeId()
        || in.getInt(28) != config.chunkBlocks()) {
      return null;
    }
    long[] words = new long[config.chunkBlocks() / 64];
    in.position(HEADER_BYTES).asLongBuffer().get(words);
    return new Decoded(in.getInt(24), in.getLong(16), crc, words);
  }

  /** What this contributes to the digest of an image. */
  public long digest() {
    return digest(chunk, crc);
  }

  private static int crc(byte[] image) {
    return Checksums.crc32c(image, 8, image.length - 8);
  }

  /** What one chunk contributes to the digest of all: any change of number or checksum shows. */
  static long digest(int chunk, int crc) {
    long mixed = ((long) chunk << 32 | crc & 0xFFFFFFFFL) + 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
