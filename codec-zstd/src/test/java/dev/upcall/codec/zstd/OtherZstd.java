package dev.upcall.codec.zstd;

import dev.upcall.coding.Codecs;
import dev.upcall.config.Compression;
import dev.upcall.content.UnitCodec;
import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.nio.ByteBuffer;
import java.util.List;

/** zstd by another implementation, in Java: that of aircompressor. */
final class OtherZstd implements UnitCodec {
  /** Of a unit, as the store has them. */
  static final int UNIT_BLOCKS = 16;

  static final Codecs CODECS = new Codecs(List.of(new OtherZstd()), UNIT_BLOCKS);

  @Override
  public int number() {
    return Codecs.ZSTD;
  }

  @Override
  public int encode(ByteBuffer from, ByteBuffer into, Compression degree) {
    byte[] content = bytes(from);
    ZstdCompressor compressor = new ZstdCompressor();
    byte[] coded = new byte[compressor.maxCompressedLength(content.length)];
    int length = compressor.compress(content, 0, content.length, coded, 0, coded.length);
    if (length > into.remaining()) {
      return 0;
    }
    into.put(into.position(), coded, 0, length);
    return length;
  }

  @Override
  public boolean decode(ByteBuffer from, ByteBuffer into) {
    byte[] coded = bytes(from);
    byte[] content = new byte[into.remaining()];
    try {
      int length =
          new ZstdDecompressor().decompress(coded, 0, coded.length, content, 0, content.length);
      into.put(into.position(), content);
      return length == content.length;
    } catch (MalformedInputException notItsForm) {
      return false;
    }
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return bytes;
  }
}
