package dev.upcall.feed.answer;

import java.util.List;
import java.util.UUID;

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

  /**
   * What the store knows of one producer from before the opening, all or some of which may have
   * come here before. For each producer at most once, before anything is settled.
   *
   * @param outcomes oldest first
   */
  default void earlier(UUID producer, List<Outcome> outcomes) {}

  /** That was all from before the opening. */
  default void endOfEarlier() {}

  /** What it has said of requests to those who asked. */
  default AnswerCounts counts() {
    return AnswerCounts.NONE;
  }
}
