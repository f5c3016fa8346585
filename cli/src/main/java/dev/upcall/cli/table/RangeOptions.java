package dev.upcall.cli.table;

import dev.upcall.request.KeyRange;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which entries are meant. */
final class RangeOptions {
  @Option(names = "--from", paramLabel = "KEY", description = "From this key on.")
  @Nullable String from;

  @Option(names = "--below", paramLabel = "KEY", description = "Only keys before this one.")
  @Nullable String below;

  @Option(names = "--prefix", paramLabel = "KEY", description = "Only keys that begin so.")
  @Nullable String prefix;

  /** Whether one of them was given. */
  boolean isGiven() {
    return from != null || below != null || prefix != null;
  }

  /** The range of keys. */
  KeyRange range(EntryText text) {
    KeyRange range = prefix == null ? KeyRange.ALL : KeyRange.prefix(text.bytes(prefix));
    byte[] first = range.from();
    if (from != null && Arrays.compareUnsigned(first, text.bytes(from)) < 0) {
      first = text.bytes(from);
    }
    Optional<byte[]> end = range.below();
    if (below != null
        && (end.isEmpty() || Arrays.compareUnsigned(text.bytes(below), end.get()) < 0)) {
      end = Optional.of(text.bytes(below));
    }
    return new KeyRange(first, end);
  }
}
