package dev.upcall.feed;

import java.util.List;

/** Hears of each request that has come to its end. Dispatcher's thread. */
@FunctionalInterface
public interface SettledPort {
  /** Nobody asks. */
  SettledPort NONE = (_, heard) -> heard.run();

  /**
   * They are durable in the store. Each of them comes here once in an opening, in the order of its
   * producer's requests; after a crash none that came here before does, and some that did not may
   * not either: those are in the {@link ProducerHistory} of their producers.
   *
   * @param requests at least one
   * @param heard runs once, in the call or later: before, no more come, their entries stay in the
   *     queue, and they stay in their producers' histories
   */
  void settled(List<Settled> requests, Runnable heard);
}
