package dev.upcall.nio.watch;

import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches directories of one store: each change of their entries that is committed after a
 * registration returned is told, or that some are missing. Has no thread of its own. Any threads.
 */
public final class StoreWatchService implements WatchService {
  private static final List<WatchEvent.Kind<?>> KINDS =
      List.of(
          StandardWatchEventKinds.ENTRY_CREATE,
          StandardWatchEventKinds.ENTRY_MODIFY,
          StandardWatchEventKinds.ENTRY_DELETE);

  private final Directories directories;
  private final Hidden hidden;
  private final Consumer<? super StoreWatchService> whenClosed;
  private final ConcurrentMap<Long, StoreWatchKey> keys = new ConcurrentHashMap<>();

  /** Keys with something to tell, one permit for each. */
  private final Queue<StoreWatchKey> ready = new ConcurrentLinkedQueue<>();

  private final Semaphore permits = new Semaphore(0);
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Entries that programs do not see. */
  @FunctionalInterface
  public interface Hidden {
    /** Whether an entry of a directory is one. */
    boolean hides(long directory, String name);
  }

  /**
   * A service.
   *
   * @param whenClosed told once, when it is closed
   */
  public StoreWatchService(
      Directories directories, Hidden hidden, Consumer<? super StoreWatchService> whenClosed) {
    this.directories = directories;
    this.hidden = hidden;
    this.whenClosed = whenClosed;
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new ClosedWatchServiceException();
    }
  }

  /** What tells of changes. */
  Directories directories() {
    return directories;
  }

  /** Whether these are the directories that it can watch. */
  public boolean watches(Directories others) {
    return directories == others;
  }

  /**
   * The kinds that a program registers for, checked.
   *
   * @throws UnsupportedOperationException for one that directories do not have, and for modifiers
   *     but those of a polling service, which say nothing here
   * @throws IllegalArgumentException if there is none
   */
  public static Set<WatchEvent.Kind<?>> kinds(
      WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    Set<WatchEvent.Kind<?>> kinds = new LinkedHashSet<>();
    for (WatchEvent.Kind<?> kind : events) {
      if (KINDS.contains(Objects.requireNonNull(kind, "kind"))) {
        kinds.add(kind);
      } else if (kind != StandardWatchEventKinds.OVERFLOW) { // which is told unasked
        throw new UnsupportedOperationException(kind.name());
      }
    }
    if (kinds.isEmpty()) {
      throw new IllegalArgumentException("No events to register");
    }
    for (WatchEvent.Modifier modifier : modifiers) {
      if (!isSensitivity(Objects.requireNonNull(modifier, "modifier"))) {
        throw new UnsupportedOperationException("Modifier not supported");
      }
    }
    return Collections.unmodifiableSet(kinds);
  }

  /** How often a polling service looks; of a package that not every JDK has. */
  private static boolean isSensitivity(WatchEvent.Modifier modifier) {
    return modifier instanceof Enum<?> one
        && one.getDeclaringClass()
            .getName()
            .equals("com.sun.nio.file.SensitivityWatchEventModifier");
  }

  /**
   * Watches a directory; waits. One that is watched already keeps its key, with the kinds that are
   * wanted now.
   *
   * @param kinds as {@link #kinds}
   * @throws dev.upcall.UpcallException as {@link Directories#watch}
   */
  public WatchKey register(long directory, Path watchable, Set<WatchEvent.Kind<?>> kinds) {
    checkOpen();
    StoreWatchKey key =
        Objects.requireNonNull(
            keys.compute(
                directory,
                (id, present) ->
                    present != null && present.isValid()
                        ? present
                        : new StoreWatchKey(this, id, watchable)));
    key.wants(kinds);
    boolean watched = false;
    try {
      directories.watch(
          directory, kinds.contains(StandardWatchEventKinds.ENTRY_MODIFY), key.sink());
      watched = true;
    } finally {
      if (!watched || closed.get()) {
        key.cancel();
      }
    }
    checkOpen();
    return key;
  }

  /** A key is cancelled. */
  void cancelled(StoreWatchKey key) {
    forget(key);
    directories.forget(key.directory(), key.sink());
  }

  /** A key's directory is gone. Does not wait. */
  void forget(StoreWatchKey key) {
    keys.remove(key.directory(), key);
  }

  /** Whether programs see an entry. */
  boolean shows(long directory, String name) {
    return !hidden.hides(directory, name);
  }

  /** A key has something to tell. Does not wait. */
  void ready(StoreWatchKey key) {
    ready.add(key);
    permits.release();
  }

  @Override
  public @Nullable WatchKey poll() {
    checkOpen();
    return permits.tryAcquire() ? next() : null;
  }

  @Override
  public @Nullable WatchKey poll(long timeout, TimeUnit unit) throws InterruptedException {
    checkOpen();
    return permits.tryAcquire(timeout, unit) ? next() : null;
  }

  @Override
  public WatchKey take() throws InterruptedException {
    checkOpen();
    permits.acquire();
    return next();
  }

  /** The key of a permit that was got. */
  private WatchKey next() {
    if (closed.get()) {
      permits.release();
      throw new ClosedWatchServiceException();
    }
    return Objects.requireNonNull(ready.poll(), "a key for each permit");
  }

  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    List.copyOf(keys.values()).forEach(StoreWatchKey::cancel);
    permits.release(); // wakes one who waits, who wakes the next
    whenClosed.accept(this);
  }
}
