package dev.upcall.fsm.door;

import dev.upcall.config.WaitConfig;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.wakeup.Inbox;
import java.util.Objects;

/**
 * Holds the wake-ups of one thread's requests back while that thread, the holder of a {@link
 * PassivePort}, still has completions to deal with, so that a store and a program that share a core
 * do not change places at each request. The {@link RequestDoor} in which it sits is then the
 * holder's alone.
 *
 * <p><b>When a request is looked at.</b> At once if the dispatcher is awake: only wake-ups are held
 * back, never requests. If it sleeps, it is woken
 *
 * <ul>
 *   <li>at once, unless it had a request of a corked door since it last slept for ever. So a
 *       program that asks once in a while waits no longer than through a plain door;
 *   <li>when the holder polls or takes and finds nothing, or is about to wait before a full door;
 *   <li>with the {@linkplain WaitConfig#wakeLimit wakeLimit}-th request;
 *   <li>by whoever else puts something in;
 *   <li>by its own timer, {@link WaitConfig#dozeNanos} after it fell asleep. This one needs nobody:
 *       a holder that computes for an hour, or has died, leaves no request behind.
 * </ul>
 *
 * <p><b>No wake-up is lost</b>, by the one word of {@link Inbox}. A dispatcher dozes only from
 * empty, by a compare-and-set, and then with a timer. A corked request that replaces "dozing"
 * carries the mark that nobody was woken for it, and so does each corked one on top of it; any
 * other offer on top of a mark wakes and carries none. So at each moment of a doze the word says
 * whether a wake-up is owed. {@link #pull} reads the word after the holder's own offers: either it
 * still finds a mark and wakes, or the chain was taken (the dispatcher was awake after the offer)
 * or someone was told to wake after it. A dispatcher that sleeps for ever has said so in the word,
 * and then every offer wakes.
 *
 * <p>All methods are the holder's.
 */
public final class Cork {
  private final Dispatcher dispatcher;
  private final int limit;
  private int held;

  /** A cork for requests to a dispatcher. */
  public Cork(Dispatcher dispatcher) {
    this.dispatcher = Objects.requireNonNull(dispatcher, "dispatcher");
    this.limit = dispatcher.config().waiting().wakeLimit();
  }

  /** Puts a request in, and counts the wake-up if it is held back. */
  void enter(Runnable request) {
    if (dispatcher.sleep().putCorked(request) && ++held >= limit) {
      pull();
    }
  }

  /** Wakes the dispatcher if a wake-up that was held back is still owed. */
  public void pull() {
    if (held > 0) {
      held = 0;
      dispatcher.sleep().wakeIfOwed();
    }
  }
}
