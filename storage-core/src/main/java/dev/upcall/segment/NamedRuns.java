package dev.upcall.segment;

import dev.upcall.base.Invariants;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.Staged;
import java.util.List;
import java.util.function.Consumer;

/** Hands the runs in which content was written out to the parts that it came from, in order. */
public final class NamedRuns {
  private final List<Staged.NamedBlocks> runs;
  private int run;
  private long used;

  /** All runs, in the order of the content. */
  public NamedRuns(List<Staged.NamedBlocks> runs) {
    this.runs = runs;
  }

  /** The entries of the next part, of at most {@code most} blocks each. */
  public void entries(Overlay.Part part, int most, Consumer<ExtentEntry> taker) {
    for (long block = part.block(); block < part.end(); ) {
      Staged.NamedBlocks present = runs.get(run);
      long left = present.extent().blocks() - used;
      long length = Math.min(Math.min(part.end() - block, most), left);
      ExtentEntry whole = new ExtentEntry.Plain(0, present.extent(), present.checksums());
      taker.accept(whole.slice(used, used + length).at(block));
      block += length;
      run += length == left ? 1 : 0;
      used = length == left ? 0 : used + length;
    }
  }

  /** Checks that the parts took all. */
  public void checkUsedUp() {
    Invariants.check(run == runs.size(), "runs without a part", run, runs.size());
    Invariants.check(used == 0, "blocks without a part", used);
  }
}
