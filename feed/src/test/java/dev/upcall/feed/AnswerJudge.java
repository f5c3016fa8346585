package dev.upcall.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.journal.entry.Decoded;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.FailureCode;
import dev.upcall.journal.entry.Reply;
import dev.upcall.journal.entry.ReplyCodec;
import dev.upcall.journal.queue.DeadLetters;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import dev.upcall.journal.queue.QueueException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What was said of requests, against what became of them. */
final class AnswerJudge {
  private final QueueModel model;
  private final Map<UUID, Map<Long, Reply>> replies = new LinkedHashMap<>();
  private final TreeSet<String> letters = new TreeSet<>();
  private long repeated;
  private long withoutRequest;

  /** Reads all; what is said again must be the same. */
  AnswerJudge(QueueModel model) throws QueueException {
    this.model = model;
    EntryQueue queue = model.replies().open();
    Indexed found = queue.next(EntryQueue.NONE);
    while (found != null) {
      // A loss of power may have torn one.
      if (EntryCodec.decode(found.bytes()).flatMap(ReplyCodec::decodeReply)
          instanceof Decoded.Value<Reply>(Reply reply)) {
        add(reply);
      }
      found = queue.next(found.index());
    }
    try (DeadLetters dead = new DeadLetters(model.letters().open())) {
      for (DeadLetters.Letter letter : dead.list()) {
        letters.add(name(letter.letter().origin().producer(), letter.letter().origin().sequence()));
        withoutRequest += dead.whole(letter).isEmpty() ? 1 : 0;
      }
    }
  }

  /** Each request has its reply, and a dead letter if it failed, and no other has one. */
  void check(ModelProducer producer, long logVersion) {
    List<@Nullable FailureCode> expected = producer.expected();
    for (int sequence = 0; sequence < expected.size(); sequence++) {
      UUID id = producer.idOf(sequence);
      Reply reply = told(id, sequence);
      if (reply == null && model.isForgotten(id)) {
        // A loss of power took it, and nobody could say it again.
        continue;
      }
      assertNotNull(reply, "no reply to " + sequence);
      FailureCode code = expected.get(sequence);
      boolean isRight =
          switch (reply.result()) {
            case Reply.Done done -> code == null && done.file().isPresent();
            case Reply.Failed failed -> failed.code() == code;
          };
      assertTrue(isRight, () -> reply + " where " + code + " is right");
      assertEquals(code != null, letters.contains(name(id, sequence)), "letter");
    }
    int lastAppend = producer.lastAppend();
    Reply last = lastAppend < 0 ? null : told(producer.idOf(lastAppend), lastAppend);
    if (last != null && last.result() instanceof Reply.Done done && done.file().isPresent()) {
      assertEquals(
          logVersion, done.file().orElseThrow().version(), "version of " + producer.logPath());
    }
  }

  private @Nullable Reply told(UUID id, long sequence) {
    return replies.getOrDefault(id, Map.of()).get(sequence);
  }

  /** Replies that were there already. */
  long repeated() {
    return repeated;
  }

  /** Letters whose request a loss of power has taken. */
  long withoutRequest() {
    return withoutRequest;
  }

  private void add(Reply reply) {
    Reply before =
        replies
            .computeIfAbsent(reply.producer(), _ -> new LinkedHashMap<>())
            .put(reply.sequence(), reply);
    if (before != null) {
      repeated++;
      assertEquals(before, reply, "a reply differs");
    }
  }

  private static String name(UUID producer, long sequence) {
    return producer + " " + sequence;
  }
}
