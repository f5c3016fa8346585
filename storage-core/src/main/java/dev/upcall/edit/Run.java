package dev.upcall.edit;

import dev.upcall.edit.Source.Old;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A piece as it is after an edit: bytes that stay where they are, and behind them bytes that are
 * written.
 *
 * @param kept the bytes that stay; they begin on a block's border, and so does the run. Null: the
 *     run gets a new place
 * @param gathered what is written behind them, in order
 * @param blocks of the run's place; those of a kept piece that lie outside are free
 */
public record Run(@Nullable Old kept, List<Source> gathered, int blocks) {
  /** Copies the list. */
  public Run {
    gathered = List.copyOf(gathered);
  }

  /** One that is written to a new place. */
  static Run gathered(List<Source> gathered, int blocks) {
    return new Run(null, gathered, blocks);
  }

  /** One that stays as it is. */
  static Run kept(Old kept, int blocks) {
    return new Run(kept, List.of(), blocks);
  }

  /** Bytes that stay. */
  public long keptBytes() {
    return kept == null ? 0 : kept.bytes();
  }

  /** All bytes of the run. */
  public long bytes() {
    return keptBytes() + gathered.stream().mapToLong(Source::bytes).sum();
  }
}
