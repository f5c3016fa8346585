package dev.upcall.nio.watch;

import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Events between the store's thread, which adds them, and programs, which take them; neither waits
 * for the other. Bounded: {@value #MAX_EVENTS} events; beyond, it is told that some are missing.
 *
 * <p>They are merged as the JDK does it: a repetition of the last event counts that up, and so does
 * a modification of what was modified before and is neither new nor gone since.
 */
final class EntryEvents {
  /** As many are kept for each key. */
  static final int MAX_EVENTS = 4096;

  private final Queue<Event> events = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicBoolean overflowed = new AtomicBoolean();

  /** The last to be added, and the modifications that may be counted up: of whoever adds. */
  private @Nullable Event last;

  private final Map<String, Event> modified = new LinkedHashMap<>();

  private static final class Event {
    final WatchEvent.Kind<Path> kind;
    final String name;

    /** How often; 0 once it is taken: then it counts no more. */
    private final AtomicInteger count = new AtomicInteger(1);

    Event(WatchEvent.Kind<Path> kind, String name) {
      this.kind = kind;
      this.name = name;
    }

    boolean isOf(WatchEvent.Kind<Path> otherKind, String otherName) {
      return kind == otherKind && name.equals(otherName);
    }

    /** Counts up, unless it is taken. */
    boolean again() {
      return count.getAndUpdate(
              times -> times == 0 || times == Integer.MAX_VALUE ? times : times + 1)
          != 0;
    }

    int take() {
      return count.getAndSet(0);
    }
  }

  /** Adds one; whoever applies changes. */
  void add(WatchEvent.Kind<Path> kind, String name) {
    boolean modifies = kind == StandardWatchEventKinds.ENTRY_MODIFY;
    if (last != null && last.isOf(kind, name) && last.again()) {
      return;
    }
    if (modifies) {
      Event before = modified.get(name);
      if (before != null && before.again()) {
        return;
      }
    } else {
      modified.remove(name);
    }
    if (size.get() >= MAX_EVENTS) {
      overflow();
      return;
    }
    if (modified.size() >= MAX_EVENTS) {
      modified.clear(); // those that are taken; what is counted up no more is told again
    }
    Event added = new Event(kind, name);
    if (modifies) {
      modified.put(name, added);
    }
    last = added;
    size.incrementAndGet();
    events.add(added);
  }

  /** Some are missing from here on; whoever applies changes. */
  void overflow() {
    last = null;
    modified.clear();
    overflowed.set(true);
  }

  /** Whether there is something to take. */
  boolean hasAny() {
    return overflowed.get() || !events.isEmpty();
  }

  /** Takes all; if some are missing that is all there is to say. Any thread. */
  List<WatchEvent<?>> take(Function<String, Path> context) {
    List<WatchEvent<?>> taken = new ArrayList<>();
    // First: what gets lost from here on is told the next time.
    boolean missing = overflowed.getAndSet(false);
    for (Event next = events.poll(); next != null; next = events.poll()) {
      size.decrementAndGet();
      int count = next.take();
      if (!missing) {
        taken.add(new StoreWatchEvent<>(next.kind, count, context.apply(next.name)));
      }
    }
    if (missing) {
      taken.add(new StoreWatchEvent<>(StandardWatchEventKinds.OVERFLOW, 1, null));
    }
    return taken;
  }
}
