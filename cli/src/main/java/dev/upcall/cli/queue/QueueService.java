package dev.upcall.cli.queue;

import dev.upcall.FileManager;
import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.feed.FeedConfig;
import dev.upcall.feed.FeedMetrics;
import dev.upcall.feed.QueueThread;
import dev.upcall.feed.RequestFeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Does the requests of a queue on an open store, until it is closed. */
public final class QueueService implements AutoCloseable {
  private final FsmUpcall store;
  private final FileManager files;
  private final QueueThread source;

  /** The dispatcher's; null before its first upcall. */
  private @Nullable RequestFeed feed;

  private QueueService(FsmUpcall store, QueueThread source) {
    this.store = store;
    this.files = store.fileManager();
    this.source = source;
  }

  /**
   * Fails where Java was started without the flags that a queue needs.
   *
   * @param queue null for none
   */
  public static void check(@Nullable Path queue) {
    if (queue != null) {
      QueueFlags.require();
    }
  }

  /**
   * Begins; {@link #close} it before the store.
   *
   * @param store with the engine of state machines
   * @param queue null for none
   * @return null for none
   */
  public static @Nullable QueueService open(Upcall store, @Nullable Path queue) throws IOException {
    if (queue == null) {
      return null;
    }
    FsmUpcall machines = store.fsm();
    QueueThread source =
        QueueThread.open(queue, UUID::randomUUID, machines.fileManager().dispatcher());
    QueueService service = new QueueService(machines, source);
    machines.execute(service::begin);
    return service;
  }

  private void begin() {
    RequestFeed made = new RequestFeed(files, source, FeedConfig.DEFAULT, source);
    feed = made;
    made.begin();
  }

  /** What it has done; null before its first upcall. Dispatcher's thread. */
  public @Nullable FeedMetrics metrics() {
    return feed == null ? null : feed.metrics();
  }

  /** Begins no request any more, and leaves the queue to others. */
  @Override
  public void close() throws IOException {
    try {
      store.execute(this::end);
    } finally {
      source.close();
    }
  }

  private void end() {
    RequestFeed begun = feed;
    if (begun != null) {
      begun.close();
    }
  }
}
