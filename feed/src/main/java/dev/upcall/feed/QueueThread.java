package dev.upcall.feed;

import dev.upcall.base.ThreadEnd;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.journal.queue.ChronicleEntries;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import dev.upcall.journal.queue.ProcessLock;
import dev.upcall.journal.queue.QueueDirectory;
import dev.upcall.journal.queue.QueueException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a queue on a thread of its own. While the queue has nothing new it is looked at once in a
 * millisecond, after some time once in 20. Opened and closed on any thread but the dispatcher's;
 * the feed is closed before.
 */
public final class QueueThread implements RequestSource, AutoCloseable {
  private static final long MIN_PAUSE_MILLIS = 1;
  private static final long MAX_PAUSE_MILLIS = 20;

  private final Dispatcher dispatcher;
  private final ProcessLock lock;
  private final EntryQueue entries;
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile QueueDirectory directory;
  private volatile boolean isClosing;

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
          ChronicleEntries.open(
              directory.requests(),
              Long.MAX_VALUE,
              () -> dispatcher.clock().epochNanos() / 1_000_000);
      QueueThread opened = new QueueThread(dispatcher, directory, lock, entries);
      opened.thread.start();
      return opened;
    } catch (IOException | RuntimeException failed) {
      lock.close();
      throw failed;
    }
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
  public void read(long index, CompletionPort<Optional<byte[]>> port) {
    submit(port, () -> complete(port, Completion.done(Optional.ofNullable(entries.read(index)))));
  }

  @Override
  public void next(long index, CompletionPort<Indexed> port) {
    submit(port, () -> await(index, MIN_PAUSE_MILLIS, port));
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
  public void close() throws IOException {
    isClosing = true;
    tasks.add(() -> {});
    ThreadEnd.await(thread);
    entries.close();
    lock.close();
  }

  private <T> void submit(CompletionPort<T> port, Task task) {
    tasks.add(
        () -> {
          try {
            task.run();
          } catch (QueueException broken) {
            complete(
                port,
                Completion.failed(
                    new Failure.Device("reading the queue", String.valueOf(broken.getMessage()))));
          }
        });
  }

  private <T> void complete(CompletionPort<T> port, Completion<T> completion) {
    dispatcher.offer(() -> port.complete(completion));
  }

  private void await(long index, long pauseMillis, CompletionPort<Indexed> port)
      throws QueueException {
    Indexed found = entries.next(index);
    if (found != null) {
      complete(port, Completion.done(found));
      return;
    }
    Runnable other = poll(pauseMillis);
    if (other != null) {
      other.run();
    }
    if (!isClosing) {
      long longer = Math.min(MAX_PAUSE_MILLIS, pauseMillis * 2);
      submit(port, () -> await(index, longer, port));
    }
  }

  private @Nullable Runnable poll(long millis) {
    try {
      return tasks.poll(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException closing) {
      isClosing = true;
      return null;
    }
  }

  private void work() {
    while (!isClosing) {
      try {
        tasks.take().run();
      } catch (InterruptedException closing) {
        isClosing = true;
      }
    }
  }
}
