package dev.upcall.segment;

import dev.upcall.buffer.Lease;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import java.util.List;

/** How gathered frames of one new content reach their places. Dispatcher's thread only. */
interface ContentWrites {
  /** Hears of each piece once. */
  interface Written {
    /** These frames are needed no more. */
    void written(List<Lease> leases, Completion<Unit> completion);
  }

  /** How many pieces are on their way, or wait for their place. */
  int inFlight();

  /**
   * Writes frames to a place of their own, which the layout is told of, behind those before; {@link
   * Written} hears of all of them.
   */
  void place(DataRun run);
}
