package dev.upcall.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileManager;
import dev.upcall.FileManagerInfo;
import dev.upcall.base.Clock;
import dev.upcall.completion.Completion;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.Origin;
import dev.upcall.journal.entry.Samples;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A queue and direct requests on one store, in the time of the simulated machine. */
class FeedPriorityTest {
  private static final int CLIENTS = 4;
  private static final int DIRECT = 2000;
  private static final int QUEUED = 4000;

  /** What a group has at most in the fixture. */
  private static final int GROUP = 4;

  /**
   * What came of a load.
   *
   * @param waitNanos of a direct request, on average
   * @param tookNanos all of them together
   * @param applied requests of the queue that were done meanwhile
   */
  private record Result(long waitNanos, long tookNanos, long applied) {}

  @Test
  void directRequestsGoFirstAndTheQueueGoesOn() throws QueueException {
    Result alone = run(0, UnaryOperator.identity());
    Result first = run(QUEUED, UnaryOperator.identity());
    Result same = run(QUEUED, FeedPriorityTest::seesNobody);
    String all = "alone %s, first %s, same %s".formatted(alone, first, same);
    assertEquals(0, alone.applied(), all);
    assertTrue(first.waitNanos() < 1.05 * alone.waitNanos(), all);
    assertTrue(same.waitNanos() > 1.1 * alone.waitNanos(), all);
    long groups = first.applied() / GROUP;
    assertTrue(groups >= first.tookNanos() / (2 * Deference.MAX_NANOS), all);
    assertTrue(groups <= 2 + first.tookNanos() / Deference.MAX_NANOS, all);
    assertTrue(first.applied() < same.applied() / 4, all);
  }

  @Test
  void withoutDirectRequestsNothingIsHeld() throws QueueException {
    QueueModel model = new QueueModel(new UUID(1, 2));
    FeedFixture fixture = FeedFixture.create(3, model, FeedCanary.NONE);
    put(model, 100);
    fixture.feed().begin();
    fixture.runUntilDone();
    assertEquals(100, fixture.feed().metrics().counts().applied());
    assertEquals(0, fixture.feed().metrics().held());
    fixture.close();
  }

  private static Result run(int queued, UnaryOperator<FileManager> broken) throws QueueException {
    QueueModel model = new QueueModel(new UUID(1, 2));
    FeedFixture fixture = FeedFixture.create(3, model, FeedCanary.NONE, broken);
    put(model, queued);
    fixture.feed().begin();
    Load load = new Load(fixture);
    fixture.world().runUntil(load::isOver);
    Result result =
        new Result(
            load.waitedNanos / DIRECT,
            load.clock.monotonicNanos() - load.beganNanos,
            fixture.feed().metrics().counts().applied());
    fixture.close();
    return result;
  }

  private static void put(QueueModel model, int requests) throws QueueException {
    EntryQueue writer = model.storage().open();
    for (int i = 0; i < requests; i++) {
      Origin origin = new Origin(model.id(), 0, new UUID(3, 4), 1, i);
      for (Entry entry : Samples.entries(Samples.put("/a", new byte[10]), origin, 0)) {
        writer.append(EntryCodec.encode(entry));
      }
    }
  }

  /** As if nobody asked directly. */
  private static FileManager seesNobody(FileManager files) {
    return (FileManager)
        Proxy.newProxyInstance(
            FileManager.class.getClassLoader(),
            new Class<?>[] {FileManager.class},
            (_, method, arguments) -> {
              if (method.getReturnType() == FileManagerInfo.class) {
                return new FileManagerInfo(0, 0, false, 0, "", false, 0, 0, "");
              }
              return method.invoke(files, arguments);
            });
  }

  /** Clients that ask again as soon as they are answered. */
  private static final class Load {
    private final FileManager files;
    private final Clock clock;
    private final long beganNanos;
    private int asked;
    private int answered;
    private long waitedNanos;

    Load(FeedFixture fixture) {
      this.files = fixture.files();
      this.clock = fixture.world().dispatcher().clock();
      this.beganNanos = clock.monotonicNanos();
      for (int i = 0; i < CLIENTS; i++) {
        ask();
      }
    }

    boolean isOver() {
      return answered == DIRECT;
    }

    private void ask() {
      if (asked == DIRECT) {
        return;
      }
      asked++;
      long askedNanos = clock.monotonicNanos();
      files.batch(
          List.of(new FileRequest.SetProperty("direct", new byte[100])),
          Durability.SYNC,
          done -> {
            assertInstanceOf(Completion.Done.class, done);
            answered++;
            waitedNanos += clock.monotonicNanos() - askedNanos;
            ask();
          });
    }
  }
}
