package dev.upcall.bench.ecommerce.machine;

import dev.upcall.bench.ecommerce.Table;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.IoClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Pages in memory as an operating system keeps them: the least recently used goes first, changed
 * ones are written when they are old, or when their frame is wanted, in the order of the volume.
 */
public final class PageCache {
  /** Written together when a frame is wanted and the oldest page has changed. */
  private static final int EVICTED_AT_ONCE = 16;

  /** So many pages whose frames are wanted are written at a time. */
  private static final int MOST_EVICTED = 64;

  /** Of the pages that are written because of their age so many are under way at a time. */
  private static final int FLUSHED_AT_ONCE = 32;

  private enum State {
    ABSENT,
    LOADING,
    CLEAN,
    CHANGED,
    WRITING,
    CHANGED_WHILE_WRITING
  }

  /**
   * Its size and habits.
   *
   * @param pages how many it holds
   * @param readAheadPages a reader of consecutive pages gets so many at a time; 0: one
   * @param ageNanos a changed page is written after so long
   * @param flushEveryNanos and looked for so often
   */
  public record Config(int pages, int readAheadPages, long ageNanos, long flushEveryNanos) {}

  private final Config config;
  private final PageIo io;
  private final Dispatcher dispatcher;
  private final State[] states;
  private final LruList lru;
  private final long[] changedNanos;
  private final BitSet changed;
  private final Map<Integer, List<Runnable>> waiters = new HashMap<>();
  private final ArrayDeque<Load> blocked = new ArrayDeque<>();
  private final ArrayDeque<Integer> flushed = new ArrayDeque<>();
  private int flushing;
  private int evicting;
  private int held;

  /** Pages [first, first + pages) for an asker. */
  private record Load(int first, int pages, int asker) {}

  PageCache(Config config, PageIo io, Dispatcher dispatcher, long volumePages) {
    this.config = config;
    this.io = io;
    this.dispatcher = dispatcher;
    int size = Math.toIntExact(volumePages);
    this.states = new State[size];
    java.util.Arrays.fill(states, State.ABSENT);
    this.lru = new LruList(size);
    this.changedNanos = new long[size];
    this.changed = new BitSet(size);
    dispatcher.schedule(config.flushEveryNanos, this::flushOld);
  }

  /** Before anything happens: a page was read or changed long ago. */
  void fill(long page) {
    int at = (int) page;
    if (states[at] == State.CLEAN) {
      touch(at);
      return;
    }
    if (held == config.pages) {
      int oldest = lru.last();
      lru.remove(oldest);
      states[oldest] = State.ABSENT;
      held--;
    }
    states[at] = State.CLEAN;
    held++;
    lru.addFirst(at);
  }

  /** How many pages it can hold. */
  int capacity() {
    return config.pages;
  }

  /**
   * A page is wanted.
   *
   * @param table whose it is
   * @param then runs when it is there; not if this is true
   * @return whether it is in memory
   */
  boolean read(long page, Table table, Reader reader, Runnable then) {
    int at = (int) page;
    Reader.Place place = reader.in(table, page);
    if (place.isNext(page) && config.readAheadPages > 0) {
      readAhead(at, place, reader.asker());
    } else if (states[at] == State.ABSENT) {
      load(new Load(at, 1, reader.asker()));
    }
    place.was(page);
    if (isPresent(at)) {
      touch(at);
      return true;
    }
    waiters.computeIfAbsent(at, _ -> new ArrayList<>()).add(then);
    return false;
  }

  /** Reads what is wanted with what follows, and what follows that before it is asked for. */
  private void readAhead(int at, Reader.Place place, int asker) {
    int most = place.endPage();
    if (states[at] == State.ABSENT) {
      int pages = Math.min(config.readAheadPages, most - at);
      loadAbsent(at, pages, asker);
      place.ahead(at + pages);
    }
    // The reader has come to what was read ahead: so the next is due.
    if (at + config.readAheadPages >= place.aheadTo() && place.aheadTo() > at) {
      int from = place.aheadTo();
      int pages = Math.min(config.readAheadPages, most - from);
      if (pages > 0) {
        loadAbsent(from, pages, asker);
        place.ahead(from + pages);
      }
    }
  }

  private void loadAbsent(int first, int pages, int asker) {
    int end = first + pages;
    int at = first;
    while (at < end) {
      if (states[at] != State.ABSENT) {
        at++;
        continue;
      }
      int from = at;
      while (at < end && states[at] == State.ABSENT) {
        at++;
      }
      load(new Load(from, at - from, asker));
    }
  }

  private void load(Load load) {
    for (int i = 0; i < load.pages; i++) {
      states[load.first + i] = State.LOADING;
    }
    blocked.addLast(load);
    startLoads();
  }

  /** Loads wait for frames in the order in which they came. */
  private void startLoads() {
    while (!blocked.isEmpty() && takeFrames(blocked.getFirst().pages)) {
      Load load = blocked.removeFirst();
      io.read(load.first, load.pages, load.asker, () -> loaded(load));
    }
  }

  private void loaded(Load load) {
    List<Runnable> ready = new ArrayList<>();
    for (int at = load.first; at < load.first + load.pages; at++) {
      states[at] = State.CLEAN;
      lru.addFirst(at);
      List<Runnable> waiting = waiters.remove(at);
      if (waiting != null) {
        ready.addAll(waiting);
      }
    }
    ready.forEach(Runnable::run);
    startLoads();
  }

  /** Makes room; what has changed is written first. */
  private boolean takeFrames(int frames) {
    while (held + frames > config.pages) {
      int oldest = lru.last();
      if (oldest < 0 || evicting >= MOST_EVICTED) {
        return false;
      }
      switch (states[oldest]) {
        case CLEAN -> {
          lru.remove(oldest);
          states[oldest] = State.ABSENT;
          held--;
        }
        case CHANGED -> evictChanged();
        case WRITING, CHANGED_WHILE_WRITING -> {
          lru.remove(oldest);
          lru.addFirst(oldest);
        }
        case ABSENT, LOADING -> throw new IllegalStateException("in no frame: " + oldest);
      }
    }
    held += frames;
    return true;
  }

  private void evictChanged() {
    List<Integer> oldest = new ArrayList<>();
    for (int at = lru.last(); at >= 0 && oldest.size() < EVICTED_AT_ONCE; at = lru.before(at)) {
      if (states[at] == State.CHANGED) {
        oldest.add(at);
      } else {
        break;
      }
    }
    oldest.sort(null);
    for (int at : oldest) {
      evicting++;
      lru.remove(at);
      write(at, IoClass.FOREGROUND_WRITE, () -> evicting--);
    }
  }

  /** A page that is in memory, or that nobody has read, has changed. */
  void change(long page) {
    int at = (int) page;
    switch (states[at]) {
      case CLEAN -> {
        states[at] = State.CHANGED;
        changed(at);
        touch(at);
      }
      case WRITING -> {
        states[at] = State.CHANGED_WHILE_WRITING;
        changed(at);
      }
      case CHANGED -> touch(at);
      case CHANGED_WHILE_WRITING, LOADING -> {
        // Written again anyway; or it comes from a load that has not ended, and stays unchanged.
      }
      case ABSENT -> {
        held++;
        states[at] = State.CHANGED;
        changed(at);
        lru.addFirst(at);
      }
    }
  }

  private void changed(int at) {
    changedNanos[at] = dispatcher.clock().monotonicNanos();
    changed.set(at);
  }

  private void write(int at, IoClass ioClass, Runnable then) {
    states[at] = State.WRITING;
    changed.clear(at);
    io.writePage(
        at,
        ioClass,
        () -> {
          boolean again = states[at] == State.CHANGED_WHILE_WRITING;
          states[at] = again ? State.CHANGED : State.CLEAN;
          if (!lru.holds(at)) {
            putBack(at, again);
          }
          then.run();
          startLoads();
        });
  }

  private void putBack(int at, boolean again) {
    if (again) {
      lru.addFirst(at);
    } else {
      lru.addLast(at);
    }
  }

  private void flushOld() {
    long old = dispatcher.clock().monotonicNanos() - config.ageNanos;
    if (flushed.isEmpty()) {
      for (int at = changed.nextSetBit(0); at >= 0; at = changed.nextSetBit(at + 1)) {
        if (changedNanos[at] <= old) {
          flushed.addLast(at);
        }
      }
      flushNext();
    }
    dispatcher.schedule(config.flushEveryNanos, this::flushOld);
  }

  private void flushNext() {
    while (flushing < FLUSHED_AT_ONCE) {
      Integer at = flushed.pollFirst();
      if (at == null) {
        return;
      }
      if (states[at] == State.CHANGED) {
        flushing++;
        write(
            at,
            IoClass.BACKGROUND,
            () -> {
              flushing--;
              flushNext();
            });
      }
    }
  }

  /** How many pages have changed and are not under way to the volume. */
  int changedPages() {
    return changed.cardinality();
  }

  private boolean isPresent(int at) {
    return states[at] != State.ABSENT && states[at] != State.LOADING;
  }

  private void touch(int at) {
    if (lru.holds(at)) {
      lru.remove(at);
      lru.addFirst(at);
    }
  }
}
