package dev.upcall.httpd.relay;

import dev.upcall.fsm.Dispatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Messages of one dispatcher for another one. They leave together, by an upcall behind those that
 * were waiting in the FIFO when the first of them was sent: so what one batch of completions asks
 * for costs one cross-thread message and at most one wake-up. They arrive in the order of sending.
 *
 * <p>It is not bounded. Those who send are: a session has one request under way, and what is told
 * beside requests ends what a request began.
 *
 * @param <M> the messages
 */
final class Outbox<M> {
  /** More leave as several batches, so that taking one in is a short upcall. */
  private static final int BATCH_LIMIT = 1024;

  private final Dispatcher from;
  private final Dispatcher to;
  private final Consumer<M> receiver;
  private final Runnable leave = this::leave;
  private List<M> gathered = new ArrayList<>();
  private boolean leavePosted;

  /**
   * Sends nothing yet.
   *
   * @param receiver is called on the other dispatcher's thread for each message, and only appends
   *     to its FIFO
   */
  Outbox(Dispatcher from, Dispatcher to, Consumer<M> receiver) {
    this.from = from;
    this.to = to;
    this.receiver = receiver;
  }

  /** Sends; on the thread of the dispatcher that it comes from. */
  void send(M message) {
    from.checkOwner();
    gathered.add(message);
    if (gathered.size() == BATCH_LIMIT) {
      handOver();
    } else if (!leavePosted) {
      leavePosted = true;
      from.post(leave);
    }
  }

  private void leave() {
    leavePosted = false;
    if (!gathered.isEmpty()) {
      handOver();
    }
  }

  private void handOver() {
    List<M> batch = gathered;
    gathered = new ArrayList<>();
    // Where the other one has ended nobody waits for an answer any more: this one is ended, too.
    to.offer(new Batch<>(batch, receiver));
  }

  /** What travels. */
  private record Batch<M>(List<M> messages, Consumer<M> receiver) implements Runnable {
    @Override
    public void run() {
      messages.forEach(receiver);
    }
  }
}
