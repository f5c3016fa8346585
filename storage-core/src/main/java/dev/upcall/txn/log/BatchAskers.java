package dev.upcall.txn.log;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;

/**
 * What the flight record says of those who asked for a batch: it is written for the first of them,
 * the others join it, and each is told for the request that it serves. Dispatcher's thread.
 */
final class BatchAskers {
  private final Dispatcher dispatcher;
  private final FlightRecorder recorder;
  private final int joined;

  /** Of the log of a dispatcher. */
  BatchAskers(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
    this.recorder = dispatcher.recorder();
    this.joined = recorder.name("group commit");
  }

  /** What follows is done for a batch: under the id of its first record, or one of its own. */
  void serve(LogBatch batch) {
    int asking = batch.ports().size();
    recorder.serve(asking == 0 ? FlightRecorder.NOBODY : batch.asker(0));
    if (recorder.current() == FlightRecorder.NOBODY) {
      recorder.background("mark");
    }
    for (int i = 1; i < asking; i++) {
      recorder.join(joined, batch.asker(i));
    }
  }

  /** Tells all who wait for a batch. */
  void tell(LogBatch batch, Completion<Unit> completion) {
    for (int i = 0; i < batch.ports().size(); i++) {
      recorder.serve(batch.asker(i));
      dispatcher.complete(batch.ports().get(i), completion);
    }
    recorder.serve(FlightRecorder.NOBODY);
  }
}
