package dev.upcall.feed;

import dev.upcall.base.ThreadEnd;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.feed.answer.AnswerCounts;
import dev.upcall.feed.answer.Answers;
import dev.upcall.feed.answer.Outcome;
import dev.upcall.feed.answer.Outlet;
import dev.upcall.feed.answer.Retired;
import dev.upcall.feed.answer.Settled;
import dev.upcall.feed.answer.SettledPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.journal.producer.Producer;
import dev.upcall.journal.queue.ChronicleEntries;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import dev.upcall.journal.queue.ProcessLock;
import dev.upcall.journal.queue.QueueDirectory;
import dev.upcall.journal.queue.QueueException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads and decodes a queue on a thread of its own, and says there what became of its requests.
 * Nobody wakes a reader of another process, so while there is nothing new it looks again and again,
 * with pauses that grow with the time since there was something: an entry waits for at most a
 * sixteenth of that time, and for two milliseconds at most. A fault of the program on it ends the
 * dispatcher. Opened and closed on any thread but the dispatcher's; the feed is closed before.
 */
public final class QueueThread implements RequestSource, SettledPort, AutoCloseable {
  /** No reply is said any more when those that are there have so much. */
  private static final long MAX_REPLY_BYTES = 8L << 30;

  /** No dead letter is any more; who reads them makes room. */
  private static final long MAX_LETTER_BYTES = 256L << 20;

  private static final long MIN_PAUSE_NANOS = 20_000;
  private static final long MAX_PAUSE_NANOS = 2_000_000;
  private static final int PAUSES_OF_IDLE = 16;

  /** What is given at once. */
  private static final int MAX_ENTRIES = 512;

  private static final long MAX_BYTES = 1 << 20;

  /** While nobody wants entries, it is counted so often what there is. */
  private static final long COUNT_NANOS = 100_000_000;

  private final Dispatcher dispatcher;
  private final ProcessLock lock;
  private final EntryQueue entries;
  private final Answers answers;
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile QueueDirectory directory;
  private volatile boolean isClosing;
  private volatile AnswerCounts answerCounts = AnswerCounts.NONE;

  /** Who waits for the next entries; the thread's own. */
  private @Nullable Waiting waiting;

  /** When there was something last; the thread's own. */
  private long foundNanos;

  /** The thread's own. */
  private final Retired retired = new Retired();

  /** The thread's own. */
  private final Unread unread = new Unread();

  /** When it is counted again; the thread's own. */
  private long countNanos;

  private volatile Backlog backlog = Backlog.NONE;

  private record Waiting(long index, CompletionPort<List<Arrival>> port) {}

  /** Something that may wait for files. */
  private interface Task {
    void run() throws QueueException;
  }

  private QueueThread(
      Dispatcher dispatcher, QueueDirectory directory, ProcessLock lock, EntryQueue entries) {
    this.dispatcher = dispatcher;
    this.directory = directory;
    this.lock = lock;
    this.entries = entries;
    this.answers =
        new Answers(
            directory.id(),
            entries,
            outlet("replies", directory.replies(), MAX_REPLY_BYTES),
            outlet("dead letters", directory.deadLetters(), MAX_LETTER_BYTES));
    this.thread = Thread.ofPlatform().name("upcall-queue").daemon().unstarted(this::work);
  }

  /**
   * Opens a queue, or makes it, as its only reader.
   *
   * @param ids draws an id at random
   * @param dispatcher that of the feed
   * @throws IOException a {@link QueueException}, IN_USE when another process reads it
   */
  public static QueueThread open(Path folder, Supplier<UUID> ids, Dispatcher dispatcher)
      throws IOException {
    QueueDirectory directory = QueueDirectory.openOrCreate(folder, ids);
    ProcessLock lock = directory.lockConsumer();
    try {
      EntryQueue entries =
          ChronicleEntries.open(directory.requests(), Long.MAX_VALUE, millis(dispatcher));
      QueueThread opened = new QueueThread(dispatcher, directory, lock, entries);
      opened.thread.start();
      return opened;
    } catch (IOException | RuntimeException failed) {
      lock.close();
      throw failed;
    }
  }

  private static LongSupplier millis(Dispatcher dispatcher) {
    return () -> dispatcher.clock().epochNanos() / 1_000_000;
  }

  private Outlet outlet(String name, Path folder, long maxBytes) {
    return new Outlet(
        "the queue's " + name,
        () -> ChronicleEntries.open(folder, maxBytes, millis(dispatcher)),
        dispatcher.clock());
  }

  @Override
  public UUID queue() {
    return directory.id();
  }

  @Override
  public long generation() {
    return directory.generation();
  }

  @Override
  public void nextGeneration(CompletionPort<Long> port) {
    submit(
        port,
        () -> {
          directory = directory.nextGeneration();
          complete(port, Completion.done(directory.generation()));
        });
  }

  @Override
  public void read(long index, CompletionPort<Optional<Arrival>> port) {
    submit(
        port,
        () -> {
          byte[] bytes = entries.read(index);
          complete(
              port,
              Completion.done(
                  Optional.ofNullable(bytes)
                      .map(found -> Arrival.of(new Indexed(index, found), queue()))));
        });
  }

  @Override
  public void next(long index, CompletionPort<List<Arrival>> port) {
    tasks.add(() -> waiting = new Waiting(index, port));
  }

  @Override
  public void expire(UUID producer, long upTo, CompletionPort<Boolean> port) {
    tasks.add(
        () -> {
          boolean isGone = false;
          try {
            isGone =
                retired.isGone(
                    producer,
                    entries,
                    id -> Producer.retire(directory, id, () -> entries.next(upTo) == null));
          } catch (IOException broken) {
            System.getLogger(QueueThread.class.getName())
                .log(System.Logger.Level.WARNING, "a producer does not expire", broken);
          }
          complete(port, Completion.done(isGone));
        });
  }

  @Override
  public void forget(UUID producer) {
    tasks.add(
        () -> {
          try {
            directory.forgetProducer(producer);
          } catch (IOException broken) {
            System.getLogger(QueueThread.class.getName())
                .log(System.Logger.Level.WARNING, "a producer's name stays", broken);
          }
        });
  }

  @Override
  public Backlog unread() {
    return backlog;
  }

  @Override
  public void done(long index) {
    tasks.add(
        () -> {
          try {
            entries.removeBefore(index);
          } catch (QueueException broken) {
            System.getLogger(QueueThread.class.getName())
                .log(System.Logger.Level.WARNING, "old files of the queue stay", broken);
          }
        });
  }

  @Override
  public void producers(CompletionPort<List<UUID>> port) {
    tasks.add(
        () -> {
          List<UUID> known = List.of();
          try {
            known = List.copyOf(directory.producerNames().keySet());
          } catch (QueueException broken) {
            System.getLogger(QueueThread.class.getName())
                .log(System.Logger.Level.WARNING, "no reply is said again", broken);
          }
          complete(port, Completion.done(known));
        });
  }

  @Override
  public void settled(List<Settled> requests, Runnable heard) {
    answer(
        () -> {
          answers.answer(requests);
          dispatcher.offer(heard);
        });
  }

  @Override
  public void earlier(UUID producer, List<Outcome> outcomes) {
    answer(() -> answers.again(producer, outcomes));
  }

  @Override
  public void endOfEarlier() {
    answer(answers::endOfAgain);
  }

  /** What was said to producers; any thread. */
  @Override
  public AnswerCounts counts() {
    return answerCounts;
  }

  private void answer(Runnable answer) {
    tasks.add(
        () -> {
          answer.run();
          answerCounts = answers.counts();
        });
  }

  @Override
  public void close() throws IOException {
    isClosing = true;
    tasks.add(() -> {});
    ThreadEnd.await(thread);
    answers.close();
    entries.close();
    lock.close();
  }

  private <T> void submit(CompletionPort<T> port, Task task) {
    tasks.add(
        () -> {
          try {
            task.run();
          } catch (QueueException broken) {
            fail(port, broken);
          }
        });
  }

  private <T> void fail(CompletionPort<T> port, QueueException broken) {
    complete(
        port,
        Completion.failed(
            new Failure.Device("reading the queue", String.valueOf(broken.getMessage()))));
  }

  private <T> void complete(CompletionPort<T> port, Completion<T> completion) {
    dispatcher.offer(() -> port.complete(completion));
  }

  /** Gives those who wait what there is. */
  private void look(Waiting of) {
    try {
      List<Arrival> found = behind(of.index());
      backlog = unread.backlog();
      if (!found.isEmpty()) {
        foundNanos = dispatcher.clock().monotonicNanos();
        waiting = null;
        complete(of.port(), Completion.done(found));
      }
    } catch (QueueException broken) {
      waiting = null;
      fail(of.port(), broken);
    }
  }

  private List<Arrival> behind(long index) throws QueueException {
    List<Arrival> found = new ArrayList<>();
    long bytes = 0;
    unread.begin(index);
    Indexed next = entries.next(index);
    while (next != null) {
      unread.given(next);
      found.add(Arrival.of(next, queue()));
      bytes += next.bytes().length;
      boolean isFull = found.size() == MAX_ENTRIES || bytes >= MAX_BYTES;
      next = isFull ? null : entries.next(next.index());
    }
    return found;
  }

  private void count() {
    boolean isMore;
    try {
      isMore = unread.count(entries);
    } catch (QueueException broken) {
      // Whoever reads next fails for it, and the feed stops.
      isMore = false;
    }
    backlog = unread.backlog();
    countNanos = dispatcher.clock().monotonicNanos() + (isMore ? 0 : COUNT_NANOS);
  }

  private @Nullable Runnable nextTask() throws InterruptedException {
    if (waiting == null) {
      return tasks.poll(countNanos - dispatcher.clock().monotonicNanos(), TimeUnit.NANOSECONDS);
    }
    long idleNanos = dispatcher.clock().monotonicNanos() - foundNanos;
    long pauseNanos = Math.clamp(idleNanos / PAUSES_OF_IDLE, MIN_PAUSE_NANOS, MAX_PAUSE_NANOS);
    return tasks.poll(pauseNanos, TimeUnit.NANOSECONDS);
  }

  private void work() {
    foundNanos = dispatcher.clock().monotonicNanos();
    while (!isClosing) {
      try {
        Runnable task = nextTask();
        if (task != null) {
          task.run();
        }
        answers.goOn();
        answerCounts = answers.counts();
        Waiting of = waiting;
        if (of != null) {
          look(of);
        } else if (dispatcher.clock().monotonicNanos() >= countNanos) {
          count();
        }
      } catch (InterruptedException closing) {
        isClosing = true;
      } catch (RuntimeException fault) {
        // Of the program: without this thread all would wait for ever, and nobody would know why.
        dispatcher.offer(
            () -> {
              throw fault;
            });
        return;
      }
    }
  }
}
