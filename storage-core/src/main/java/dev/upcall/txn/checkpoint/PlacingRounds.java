package dev.upcall.txn.checkpoint;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.txn.state.StoreContext;

/**
 * Has unplaced content placed before a freeze, and what came meanwhile in further rounds, each of
 * which is shorter: what is left then is taken down by the freeze in one upcall, and written twice.
 */
final class PlacingRounds {
  /** So much unplaced content is not worth another round. */
  static final int FEW_BLOCKS = 64;

  /** While content comes as fast as it is placed, no round is the last one. */
  static final int MOST_ROUNDS = 4;

  private final StoreContext context;
  private final WriteBack writeBack;
  private final Runnable then;
  private int rounds;

  private PlacingRounds(StoreContext context, WriteBack writeBack, Runnable then) {
    this.context = context;
    this.writeBack = writeBack;
    this.then = then;
  }

  /** Runs {@code then}, in an upcall of its own, when little is left, or no more can be placed. */
  static void run(StoreContext context, WriteBack writeBack, Runnable then) {
    new PlacingRounds(context, writeBack, then).next();
  }

  private void next() {
    rounds++;
    writeBack.placeAll(this::placed);
  }

  private void placed(Completion<Unit> completion) {
    boolean isMuch = context.state().segments().unplacedBlocks() > FEW_BLOCKS;
    if (isMuch && rounds < MOST_ROUNDS && completion instanceof Completion.Done<Unit>) {
      next();
    } else {
      context.dispatcher().schedule(0, then);
    }
  }
}
