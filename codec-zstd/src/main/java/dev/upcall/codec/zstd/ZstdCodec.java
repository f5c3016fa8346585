package dev.upcall.codec.zstd;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.upcall.config.Compression;
import dev.upcall.content.UnitCodec;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * A unit as one frame of zstd, without a dictionary, and without a checksum, which its blocks have.
 * Contexts of the library, up to some hundred kilobytes each, are kept for the next call: as many
 * as there ever were calls at once.
 */
public final class ZstdCodec implements UnitCodec {
  private static final int NUMBER = 1;
  private static final int FAST_LEVEL = 1;
  private static final int BALANCED_LEVEL = 3;

  private final ConcurrentLinkedQueue<ZstdCompressCtx> encoders = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<ZstdDecompressCtx> decoders = new ConcurrentLinkedQueue<>();

  /** For {@link java.util.ServiceLoader}; loads nothing. */
  public ZstdCodec() {}

  @Override
  public int number() {
    return NUMBER;
  }

  @Override
  public Optional<String> refusal() {
    return ZstdLibrary.refusal();
  }

  @Override
  public int encode(ByteBuffer from, ByteBuffer into, Compression degree) {
    int level =
        switch (degree) {
          case FAST -> FAST_LEVEL;
          case BALANCED -> BALANCED_LEVEL;
          case NONE -> throw new IllegalArgumentException("no degree of compression");
        };
    ZstdCompressCtx context = context(encoders, ZstdCompressCtx::new);
    try {
      context.setLevel(level);
      return context.compressDirectByteBuffer(
          into, into.position(), into.remaining(), from, from.position(), from.remaining());
    } catch (ZstdException refused) {
      checkMemory(refused);
      if (refused.getErrorCode() != Zstd.errDstSizeTooSmall()) {
        throw refused;
      }
      return 0;
    } finally {
      encoders.offer(context);
    }
  }

  @Override
  public boolean decode(ByteBuffer from, ByteBuffer into) {
    ZstdDecompressCtx context = context(decoders, ZstdDecompressCtx::new);
    try {
      return into.remaining()
          == context.decompressDirectByteBuffer(
              into, into.position(), into.remaining(), from, from.position(), from.remaining());
    } catch (ZstdException refused) {
      checkMemory(refused);
      return false;
    } finally {
      decoders.offer(context);
    }
  }

  /** A context gets most of its memory when it is used for the first time. */
  static void checkMemory(ZstdException refused) {
    if (refused.getErrorCode() == Zstd.errMemoryAllocation()) {
      throw outOfMemory(refused);
    }
  }

  private static Error outOfMemory(RuntimeException why) {
    return (Error) new OutOfMemoryError(why.getMessage()).initCause(why);
  }

  /** One that was kept, or a new one, for which the library may find no memory. */
  static <T> T context(Queue<T> kept, Supplier<T> fresh) {
    T context = kept.poll();
    try {
      return context == null ? fresh.get() : context;
    } catch (IllegalStateException noMemory) {
      throw outOfMemory(noMemory);
    }
  }
}
