package dev.upcall.txn;

import dev.upcall.segment.layout.Inode;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jspecify.annotations.Nullable;

/**
 * The state at one SCN, in which all keys have the same value: what readers look at under a model
 * checker.
 *
 * @param value of each key
 */
public record Moment(long scn, byte @Nullable [] value) implements View {
  /** One thread that changes and two that look, as often as asked for. */
  public static ModelCheckingOptions options(int iterations) {
    return new ModelCheckingOptions()
        .iterations(iterations)
        .invocationsPerIteration(200)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(2)
        .minimizeFailedScenario(false);
  }

  @Override
  public byte @Nullable [] get(StoreTree tree, byte[] key) {
    return value;
  }

  @Override
  public Scan from(StoreTree tree, byte[] key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Scan below(StoreTree tree, byte[] key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable Inode inode(long id) {
    return null;
  }

  @Override
  public long timeNanos() {
    return 0;
  }
}
