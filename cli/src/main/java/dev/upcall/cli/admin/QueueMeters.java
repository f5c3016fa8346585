package dev.upcall.cli.admin;

import dev.upcall.feed.FeedCounts;
import dev.upcall.feed.FeedMetrics;
import dev.upcall.feed.answer.AnswerCounts;
import dev.upcall.metrics.MeterReading;
import dev.upcall.metrics.MeterSection;

/** Names, units and meanings of the meters of a queue of requests that a store does. */
record QueueMeters(FeedMetrics queue) implements MeterSection {
  private static final String REQUESTS = "requests";
  private static final String BYTES = MeterReading.BYTES;

  @Override
  public void addTo(MeterReading to) {
    String p = "upcall.queue.";
    FeedCounts counts = queue.counts();
    to.count(p + "applied", REQUESTS, "requests of the queue that were done", counts.applied());
    to.count(p + "repeated", REQUESTS, "those that had been done before", counts.repeated());
    to.count(p + "refused", REQUESTS, "those that failed for good", counts.failed());
    to.count(p + "retried", "times", "times that one failed for now", counts.retried());
    to.count(p + "unreadable", "entries", "entries that were passed over", counts.unreadable());
    to.count(p + "abandoned", REQUESTS, "requests whose last part never came", counts.abandoned());
    to.count(p + "ends.lost", "times", "times that the queue had lost its end", counts.lostEnds());
    to.spread(p + "groups", REQUESTS, "requests of each change made of them", queue.groups());
    to.count(p + "groups.halved", "groups", "groups that failed and were halved", queue.halved());
    to.level(p + "waiting", REQUESTS, "requests that were read and are not done", queue.waiting());
    to.level(
        p + "unsettled",
        REQUESTS,
        "requests that are done, and not yet durable and heard of",
        queue.unsettled());
    answers(queue.answers(), to);
    to.count(p + "groups.held", "groups", "groups that let direct requests go first", queue.held());
    to.count(
        p + "forgotten", "producers", "producers that did not come any more", queue.forgotten());
    to.level(
        p + "backlog",
        "entries",
        "entries that are in the queue and not done",
        queue.backlog().entries());
    to.level(p + "backlog.size", BYTES, "bytes of those", queue.backlog().bytes());
    to.levelTime(
        p + "oldest", "how long ago the oldest of those was appended", queue.oldestNanos());
    to.level(
        p + "off",
        "queues",
        "1 once the queue is not read any more",
        queue.failure().isEmpty() ? 0 : 1);
  }

  private static void answers(AnswerCounts answers, MeterReading to) {
    String p = "upcall.queue.";
    to.count(p + "replies", "replies", "replies that were said", answers.replies());
    to.count(p + "replies.lost", "replies", "those that could not be said", answers.lostReplies());
    to.count(p + "letters", "letters", "dead letters that were said", answers.letters());
    to.count(p + "letters.lost", "letters", "those that could not be said", answers.lostLetters());
  }
}
