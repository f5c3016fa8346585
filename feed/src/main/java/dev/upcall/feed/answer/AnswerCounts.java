package dev.upcall.feed.answer;

/**
 * What was said of requests since the queue was opened.
 *
 * @param replies that were said
 * @param lostReplies that could not be said
 * @param letters dead letters that were said
 * @param lostLetters that could not be said
 */
public record AnswerCounts(long replies, long lostReplies, long letters, long lostLetters) {
  /** Nothing yet. */
  public static final AnswerCounts NONE = new AnswerCounts(0, 0, 0, 0);
}
