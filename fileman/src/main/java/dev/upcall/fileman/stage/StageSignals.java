package dev.upcall.fileman.stage;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fileman.watch.ChangePublisher;
import dev.upcall.fileman.watch.ChangeSubscription;
import java.util.function.Consumer;

/** Signals where stages complete. */
record StageSignals(Asker asker) implements ChangePublisher.Way {
  @Override
  public void begin(Consumer<CompletionPort<Unit>> watching, ChangeSubscription subscription) {
    asker
        .tell(watching)
        .whenComplete(
            (_, failed) -> {
              if (failed == null) {
                subscription.begun();
              } else {
                subscription.failed(Steps.cause(failed));
              }
            });
  }

  @Override
  public void deliver(Runnable signals) {
    asker.door().deliver(signals);
  }
}
