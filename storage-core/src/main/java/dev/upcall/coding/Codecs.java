package dev.upcall.coding;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.Compression;
import dev.upcall.content.UnitCodec;
import dev.upcall.io.Disk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of this process, and how new content is cut into units. Immutable; any thread.
 *
 * @param all the codecs; the first one encodes
 * @param unitBlocks the most blocks of a unit, 2 to {@link StoredUnit#MAX_BLOCKS}
 */
public record Codecs(List<UnitCodec> all, int unitBlocks) {
  /** None: content is stored as it is, and coded content cannot be read. */
  public static final Codecs NONE = new Codecs(List.of(), StoredUnit.MAX_BLOCKS);

  /** The number of zstd. */
  public static final int ZSTD = 1;

  /** Checks the limit. */
  public Codecs {
    all = List.copyOf(all);
    if (unitBlocks < 2 || unitBlocks > StoredUnit.MAX_BLOCKS) {
      throw new IllegalArgumentException("blocks of a unit: " + unitBlocks);
    }
  }

  /** Those that {@link ServiceLoader} finds, loaded at the first call. */
  public static Codecs found() {
    return Found.CODECS;
  }

  /** The codec that encodes, or null. */
  public @Nullable UnitCodec encoder() {
    return all.isEmpty() ? null : all.getFirst();
  }

  /** The codec with a number, or null. */
  public @Nullable UnitCodec of(int number) {
    for (UnitCodec codec : all) {
      if (codec.number() == number) {
        return codec;
      }
    }
    return null;
  }

  /**
   * Why a degree of compression cannot be chosen, if it cannot. It waits for no library to be
   * loaded, so content may still be refused.
   */
  public Optional<Failure> refuses(Compression degree) {
    return degree == Compression.NONE || !all.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Failure.Unsupported(
                "the compression \"%s\" cannot be chosen here".formatted(degree.text()),
                missing(ZSTD)));
  }

  /** As {@link #refuses}, also because of a library. The first call takes its time. */
  public Optional<Failure> refusesContent(Compression degree) {
    UnitCodec encoder = encoder();
    return degree == Compression.NONE || encoder == null
        ? refuses(degree)
        : refusesContent(encoder);
  }

  /** Why new content cannot be encoded by a codec, if it cannot. The first call takes its time. */
  public static Optional<Failure> refusesContent(UnitCodec codec) {
    return codec
        .refusal()
        .map(why -> new Failure.Unsupported("content cannot be compressed here", why));
  }

  /**
   * Decodes a unit. The first call takes its time.
   *
   * @param device where it is stored, for a failure
   * @param stored all stored blocks, which have the right checksums
   * @param into the unit's content goes there; as long as that
   * @return with {@code Unsupported} or {@code Corrupt}, if it failed
   */
  public Completion<Unit> decode(
      StoredUnit unit, String device, ByteBuffer stored, ByteBuffer into) {
    UnitCodec codec = of(unit.codec());
    Optional<String> refusal = codec == null ? Optional.of(missing(unit.codec())) : codec.refusal();
    if (codec == null || refusal.isPresent()) {
      String what = "content in the form \"%s\" cannot be read here".formatted(name(unit.codec()));
      return Completion.failed(new Failure.Unsupported(what, refusal.orElseThrow()));
    }
    return codec.decode(stored.slice(0, unit.storedBytes()), into)
        ? Completion.done()
        : Completion.failed(
            Failure.Corrupt.missing(
                device, "compressed content", unit.extent().block() * Disk.BLOCK_BYTES));
  }

  private static String name(int codec) {
    return codec == ZSTD ? "zstd" : "codec " + codec;
  }

  private static String missing(int codec) {
    return codec == ZSTD
        ? "the module dev.upcall:codec-zstd is missing"
        : "the module of that codec is missing";
  }

  private static final class Found {
    private static final Codecs CODECS = load();

    private static Codecs load() {
      List<UnitCodec> found = new ArrayList<>();
      ServiceLoader.load(UnitCodec.class, UnitCodec.class.getClassLoader()).forEach(found::add);
      return new Codecs(found, StoredUnit.MAX_BLOCKS);
    }
  }
}
