package dev.upcall.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.LinkPolicy;
import dev.upcall.OpenFile;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.feed.answer.Outcome;
import dev.upcall.feed.answer.Settled;
import dev.upcall.feed.answer.SettledPort;
import dev.upcall.io.IoClass;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** A file manager on a simulated machine, with a feed over a model of a queue. */
final class FeedFixture {
  /** How long a request may be unfinished. */
  static final long UNFINISHED_NANOS = 60_000_000_000L;

  /** After how long a producer does not come any more. */
  static final long FORGET_NANOS = 1_000_000_000_000L;

  private static final LeaseOwner OWNER = new LeaseOwner("feed test", 5);
  private static final FileManagerConfig FILES = new FileManagerConfig(1000, 100, 1 << 20, 4, 3, 2);
  private static final FeedConfig CONFIG =
      new FeedConfig(UNFINISHED_NANOS, 1_000_000, 2, 8, 4, FORGET_NANOS);

  private final SimWorld world;
  private final StoreFixture store;
  private final FileManager files;
  private final ModelSource source;
  private final RequestFeed feed;
  private final List<Settled> settled = new ArrayList<>();
  private final List<Runnable> unheard = new ArrayList<>();
  private boolean isDeaf;

  private FeedFixture(
      SimWorld world, QueueModel model, FeedCanary canary, UnaryOperator<FileManager> broken) {
    this.world = world;
    this.store = StoreFixture.recovered(world);
    this.files = world.get(port -> FileManager.open(store.store(), FILES, port));
    this.source = canary.source(model, world.dispatcher());
    this.feed =
        new RequestFeed(broken.apply(canary.files(files, model)), source, CONFIG, new Hearing());
  }

  /** A new store, and a feed that has not begun. */
  static FeedFixture create(long seed, QueueModel model, FeedCanary canary) {
    return create(seed, model, canary, UnaryOperator.identity());
  }

  /**
   * The same with something between feed and file manager.
   *
   * @param broken what the feed gets for the file manager
   */
  static FeedFixture create(
      long seed, QueueModel model, FeedCanary canary, UnaryOperator<FileManager> broken) {
    SimWorld world = SimWorld.ofBlocks(seed, StoreFixture.tinyLayout().maxBlocks());
    world.closesUnchecked("the tests of a feed crash the machine themselves");
    StoreFixture.format(world);
    return new FeedFixture(world, model, canary, broken);
  }

  /** Writes down what is heard; the source takes its time with it. */
  private final class Hearing implements SettledPort {
    @Override
    public void settled(List<Settled> requests, Runnable heard) {
      settled.addAll(requests);
      Runnable hears = () -> source.settled(requests, heard);
      if (isDeaf) {
        unheard.add(hears);
      } else {
        hears.run();
      }
    }

    @Override
    public void earlier(UUID producer, List<Outcome> outcomes) {
      source.earlier(producer, outcomes);
    }

    @Override
    public void endOfEarlier() {
      source.endOfEarlier();
    }
  }

  /** Nobody hears of anything until {@link #hear}. */
  void hearNothing() {
    isDeaf = true;
  }

  /** Who is to hear of requests does again. */
  void hear() {
    isDeaf = false;
    world.dispatcher().post(() -> unheard.forEach(Runnable::run));
  }

  /** What was heard of requests, in that order. */
  List<Settled> settled() {
    return settled;
  }

  SimWorld world() {
    return world;
  }

  ModelSource source() {
    return source;
  }

  RequestFeed feed() {
    return feed;
  }

  FileManager files() {
    return files;
  }

  /** The machine dies and recovers. */
  FeedFixture crash(QueueModel model, FeedCanary canary) {
    return new FeedFixture(world.crashAndReopen(), model, canary, UnaryOperator.identity());
  }

  /** The store is closed and opened again. */
  FeedFixture reopen(QueueModel model, FeedCanary canary) {
    close();
    return new FeedFixture(
        world.reopen(world.disk().crashImage(world.random().split())),
        model,
        canary,
        UnaryOperator.identity());
  }

  /** Until all that is in the queue was read and done, or the feed has stopped. */
  void runUntilDone() {
    world.runUntil(() -> feed.state() == FeedState.STOPPED || (feed.isIdle() && source.isAtEnd()));
  }

  void close() {
    if (feed.state() != FeedState.CLOSED) {
      feed.close();
    }
    world.runUntilIdle();
    store.verify();
    world.<Unit>get(files::close);
    world.<Unit>get(store.store()::close);
  }

  /** Zero when there is no such file. */
  long version(String path) {
    return world.<FileInfo>await(port -> files.stat(path, LinkPolicy.FOLLOW, port))
            instanceof Completion.Done<FileInfo>(FileInfo file)
        ? file.version()
        : 0;
  }

  /** Empty when there is no such file. */
  byte[] content(String path) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    Completion<OpenFile> opened = world.await(port -> files.openRead(path, OWNER, port));
    if (opened instanceof Completion.Done<OpenFile>(OpenFile file)) {
      try (file) {
        while (all.size() < file.info().sizeBytes()) {
          long offset = all.size();
          ContentSlice slice =
              world.get(
                  port -> file.content().read(offset, 100_000, IoClass.FOREGROUND_READ, port));
          slice.buffers().forEach(buffer -> all.writeBytes(bytes(buffer.duplicate())));
          slice.release();
        }
      }
    } else {
      assertEquals(Completion.failed(new Failure.NotFound(path)), opened);
    }
    return all.toByteArray();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
