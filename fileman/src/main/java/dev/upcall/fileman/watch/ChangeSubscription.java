package dev.upcall.fileman.watch;

import dev.upcall.Listing.Change;
import dev.upcall.StorePath;
import dev.upcall.nio.watch.EntrySink;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * One subscriber of a directory's changes. Whoever applies changes adds them and waits for nobody;
 * they are sent where the subscriber wants them, as many as it has requested, one at a time:
 * whoever takes {@code busy} sends, and nobody else meanwhile. Bounded: beyond {@value
 * #MAX_CHANGES} that are not sent yet, one more says that some are missing there.
 */
public final class ChangeSubscription implements Flow.Subscription, EntrySink {
  /** As many wait for the subscriber. */
  public static final int MAX_CHANGES = 4096;

  private static final long NOT_WATCHED = 0; // no segment has this id

  private final StorePath directory;
  private final Flow.Subscriber<? super Change> subscriber;
  private final Consumer<Runnable> deliver;
  private final WatchedDirectories watched;

  private final Queue<Told> untold = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicLong wanted = new AtomicLong();

  /** Taken from the beginning, until the subscriber has its subscription. */
  private final AtomicBoolean busy = new AtomicBoolean(true);

  private volatile long directoryId = NOT_WATCHED;
  private volatile boolean refused;
  private volatile boolean gone;
  private volatile boolean over;

  /** Whether the change that was added last is that some are missing; of whoever adds. */
  private boolean lossIsTold;

  /** A change without its path: that is made where it is sent. */
  private record Told(Change.Kind kind, String name, long scn) {}

  /**
   * A subscription that has not begun.
   *
   * @param deliver runs signals where the subscriber wants them; any thread
   * @param watched what tells it of changes
   */
  ChangeSubscription(
      StorePath directory,
      Flow.Subscriber<? super Change> subscriber,
      Consumer<Runnable> deliver,
      WatchedDirectories watched) {
    this.directory = directory;
    this.subscriber = subscriber;
    this.deliver = deliver;
    this.watched = watched;
  }

  // ------------------------------------------------------------------ its beginning

  /** The directory is watched; dispatcher's thread. */
  void watching(long id) {
    directoryId = id;
    if (over) {
      cancel();
    }
  }

  /** Changes are told from now on. Called where signals are sent. */
  public void begun() {
    try {
      subscriber.onSubscribe(this);
    } catch (Throwable thrown) {
      cancel();
      throw thrown;
    }
    send();
  }

  /** Nothing is watched. Called where signals are sent. */
  public void failed(Throwable why) {
    cancel();
    subscriber.onSubscribe(this);
    subscriber.onError(why);
  }

  // ------------------------------------------------------------------ whoever applies changes

  @Override
  public void created(String name, long scn) {
    add(Change.Kind.CREATED, name, scn);
  }

  @Override
  public void modified(String name, long scn) {
    add(Change.Kind.MODIFIED, name, scn);
  }

  @Override
  public void deleted(String name, long scn) {
    add(Change.Kind.DELETED, name, scn);
  }

  private void add(Change.Kind kind, String name, long scn) {
    if (size.get() >= MAX_CHANGES) {
      overflowed(scn);
    } else {
      lossIsTold = false;
      put(new Told(kind, name, scn));
    }
  }

  @Override
  public void overflowed(long scn) {
    // One that waits stands for all that follow: who looks when it is sent sees them, too. It is
    // the last, so it waits as long as there is any.
    if (!lossIsTold || size.get() == 0) {
      lossIsTold = true;
      put(new Told(Change.Kind.OVERFLOWED, "", scn));
    }
  }

  private void put(Told change) {
    size.incrementAndGet();
    untold.add(change);
    wake();
  }

  @Override
  public void gone() {
    gone = true;
    wake();
  }

  // ------------------------------------------------------------------ the subscriber

  @Override
  public void request(long count) {
    if (count <= 0) {
      refused = true;
    } else {
      wanted.accumulateAndGet(
          count, (one, other) -> one + other < 0 ? Long.MAX_VALUE : one + other);
    }
    wake();
  }

  @Override
  public void cancel() {
    over = true;
    long id = directoryId;
    if (id != NOT_WATCHED) {
      watched.forgetSoon(id, this);
    }
  }

  // ------------------------------------------------------------------ signals

  private enum Signal {
    NONE,
    CHANGE,
    ERROR,
    END
  }

  private Signal next() {
    boolean last = gone; // looked at first: when it is set, all that is to be told is there
    if (over) {
      return Signal.NONE;
    }
    if (refused) {
      return Signal.ERROR;
    }
    if (untold.isEmpty()) {
      return last ? Signal.END : Signal.NONE;
    }
    return wanted.get() > 0 ? Signal.CHANGE : Signal.NONE;
  }

  private boolean takesTurn() {
    return next() != Signal.NONE && busy.compareAndSet(false, true);
  }

  /** Has sent what can be sent, unless somebody does. */
  private void wake() {
    if (takesTurn()) {
      deliver.accept(this::send);
    }
  }

  /** Of who is busy. */
  private void send() {
    do {
      for (Signal signal = next(); signal != Signal.NONE; signal = next()) {
        send(signal);
      }
      busy.set(false);
    } while (takesTurn()); // what came between the last look and this
  }

  private void send(Signal signal) {
    switch (signal) {
      case NONE -> {}
      case CHANGE -> sendChange(untold.remove());
      case ERROR -> {
        cancel();
        subscriber.onError(new IllegalArgumentException("request of 0 or less changes"));
      }
      case END -> {
        cancel();
        subscriber.onComplete();
      }
    }
  }

  private void sendChange(Told change) {
    size.decrementAndGet();
    wanted.getAndUpdate(left -> left == Long.MAX_VALUE ? left : left - 1);
    StorePath path = change.name().isEmpty() ? directory : directory.child(change.name());
    try {
      subscriber.onNext(new Change(change.kind(), path, change.scn()));
    } catch (Throwable thrown) {
      cancel();
      throw thrown;
    }
  }
}
