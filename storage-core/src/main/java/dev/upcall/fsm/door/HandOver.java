package dev.upcall.fsm.door;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.wakeup.Inbox;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Hands small things over from any thread to a dispatcher, in batches: while a batch is on its way,
 * further things join it, so that a storm of them costs one cross-thread message and one wake-up.
 * Things arrive in the order in which they were sent. What is sent to a dispatcher that has ended
 * is not taken any more.
 *
 * <p>It is an {@link Inbox} whose taker sleeps whenever no batch is on its way; "waking" it means
 * to send it one upcall.
 *
 * @param <T> what is handed over
 */
public final class HandOver<T> {
  /** How many things one upcall takes before it lets others run. */
  private static final int BATCH_LIMIT = 1024;

  private final Inbox<T> inbox = new Inbox<>();
  private final Dispatcher owner;
  private final Consumer<T> receiver;

  /**
   * A way to one receiver.
   *
   * @param owner the dispatcher whose thread takes the things
   * @param receiver called on that thread, once for each
   */
  public HandOver(Dispatcher owner, Consumer<T> receiver) {
    this.owner = Objects.requireNonNull(owner, "owner");
    this.receiver = Objects.requireNonNull(receiver, "receiver");
    inbox.fallAsleep();
  }

  /** Sends one thing. Any thread; never blocks. */
  public void send(T thing) {
    if (inbox.offer(Objects.requireNonNull(thing, "thing")) == Inbox.Offer.ACCEPTED_WAKE) {
      // What an owner that has ended owned has gone with it, unless a last takeAll comes: there is
      // nobody else to hand over to. The sender, often a network thread that gives something back
      // late, did nothing wrong.
      owner.offer(this::takeBatch);
    }
  }

  /** Takes everything that has arrived, now. Owner's thread only. */
  public void takeAll() {
    owner.checkOwner();
    do {
      for (T thing = inbox.poll(); thing != null; thing = inbox.poll()) {
        receiver.accept(thing);
      }
    } while (!inbox.fallAsleep());
  }

  private void takeBatch() {
    int taken = 0;
    do {
      for (T thing = inbox.poll(); thing != null; thing = inbox.poll()) {
        receiver.accept(thing);
        if (++taken == BATCH_LIMIT) {
          owner.post(this::takeBatch);
          return;
        }
      }
    } while (!inbox.fallAsleep());
  }
}
