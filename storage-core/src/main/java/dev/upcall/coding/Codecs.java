package dev.upcall.coding;

import dev.upcall.completion.Failure;
import dev.upcall.content.UnitCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

  /** Why a unit cannot be decoded for whose codec there is none. */
  public static Failure missing(StoredUnit unit) {
    Objects.requireNonNull(unit, "unit");
    return unit.codec() == ZSTD
        ? new Failure.Unsupported("content compressed by zstd", "upcall-codec-zstd")
        : new Failure.Unsupported("content coded by codec " + unit.codec(), "of that codec");
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
