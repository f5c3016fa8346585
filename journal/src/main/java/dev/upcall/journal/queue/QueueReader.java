package dev.upcall.journal.queue;

import dev.upcall.journal.queue.EntryFile.Document;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Reads the files of a queue, one after the other. One thread at a time. */
final class QueueReader implements AutoCloseable {
  private static final long ANYWHERE = Long.MIN_VALUE;

  /** How long the directory is not looked at while nothing says that there is another file. */
  private static final long LOOK_MILLIS = 1000;

  private final QueueFiles files;
  private final IntSupplier newestCycle;
  private final LongSupplier millis;
  private final ByteBuffer window = EntryFile.window();
  private final ByteBuffer littleWindow = EntryFile.littleWindow();

  /** The files that were there when that was looked at, by their cycles. */
  private NavigableMap<Integer, Path> known = new TreeMap<>();

  private long lookedMillis;

  /** The index behind which the walk stands; nobody asks for {@link #ANYWHERE}. */
  private long passed = ANYWHERE;

  private @Nullable EntryFile file;
  private @Nullable EntryWalk walk;

  /** For single entries. */
  private @Nullable EntryFile looked;

  /**
   * Reads nothing yet.
   *
   * @param newestCycle of the newest file; cheaper than the directory, and not relied on
   * @param millis the time of day
   */
  QueueReader(QueueFiles files, IntSupplier newestCycle, LongSupplier millis) {
    this.files = files;
    this.newestCycle = newestCycle;
    this.millis = millis;
  }

  /** As {@link EntryQueue#read}. */
  byte @Nullable [] read(long index) throws IOException {
    try {
      return index < 0 ? null : at(index);
    } catch (IOException broken) {
      close();
      throw broken;
    }
  }

  /** As {@link EntryQueue#next}. */
  @Nullable Indexed next(long index) throws IOException {
    try {
      if (index != passed || walk == null) {
        goBehind(index);
      }
      Indexed found = next();
      while (found != null && found.index() <= index) {
        found = next();
      }
      passed = found == null ? passed : found.index();
      return found;
    } catch (IOException broken) {
      close();
      throw broken;
    }
  }

  /** Gives the files back; they are opened again when something is read. */
  @Override
  public void close() throws IOException {
    passed = ANYWHERE;
    closeWalk();
    closeLooked();
  }

  private byte @Nullable [] at(long index) throws IOException {
    EntryFile of = looked(EntryPlace.cycle(index));
    if (of == null) {
      return null;
    }
    Document there = of.document(EntryPlace.position(index));
    if (of.isWhole(there)) {
      return of.bytes(there);
    }
    if (of.isReplaced()) {
      closeLooked();
      return at(index);
    }
    // Whether an entry begins there is told by those before it.
    EntryWalk from = new EntryWalk(of);
    boolean isFinal = known.higherKey(of.cycle()) != null;
    Indexed found = from.next(isFinal, millis.getAsLong());
    while (found != null && found.index() < index) {
      found = from.next(isFinal, millis.getAsLong());
    }
    return found != null && found.index() == index && found.damagedBytes() == 0
        ? found.bytes()
        : null;
  }

  private @Nullable EntryFile looked(int cycle) throws IOException {
    EntryFile open = looked;
    if (open == null || open.cycle() != cycle) {
      closeLooked();
      if (!known.containsKey(cycle)) {
        look();
      }
      open = open(cycle, littleWindow);
      looked = open;
    }
    return open;
  }

  private void goBehind(long index) throws IOException {
    passed = ANYWHERE;
    look();
    if (index < 0) {
      begin(known.isEmpty() ? null : known.firstKey());
      passed = index;
      return;
    }
    int cycle = EntryPlace.cycle(index);
    begin(known.ceilingKey(cycle));
    EntryFile of = file;
    EntryWalk on = walk;
    if (of != null && on != null) {
      Document there = of.document(EntryPlace.position(index));
      if (of.cycle() == cycle && of.isWhole(there)) {
        on.goTo(there.end());
      }
      passed = index;
    }
  }

  /** The next of all files. */
  private @Nullable Indexed next() throws IOException {
    while (true) {
      EntryFile of = file;
      EntryWalk on = walk;
      if (of == null || on == null) {
        return null;
      }
      Integer newer = known.higherKey(of.cycle());
      Indexed found = on.next(newer != null, millis.getAsLong());
      if (found != null) {
        return found;
      }
      if (on.isAtBegin() && of.isReplaced()) {
        look();
        begin(known.ceilingKey(of.cycle()));
      } else if (newer != null) {
        begin(newer);
      } else if (!isNewer(of.cycle())) {
        return null;
      }
    }
  }

  private boolean isNewer(int cycle) throws IOException {
    boolean isTime = Math.abs(millis.getAsLong() - lookedMillis) >= LOOK_MILLIS;
    if (isTime || newestCycle.getAsInt() > cycle) {
      look();
    }
    return known.higherKey(cycle) != null;
  }

  private void look() throws IOException {
    known = files.byCycle();
    lookedMillis = millis.getAsLong();
  }

  /** Before the first entry of that file, or of the first one behind it that is still there. */
  private void begin(@Nullable Integer cycle) throws IOException {
    closeWalk();
    Integer next = cycle;
    while (next != null && file == null) {
      file = open(next, window);
      next = known.higherKey(next);
    }
    EntryFile of = file;
    walk = of == null ? null : new EntryWalk(of);
  }

  private @Nullable EntryFile open(int cycle, ByteBuffer in) throws IOException {
    Path path = known.get(cycle);
    try {
      return path == null ? null : EntryFile.open(path, cycle, in);
    } catch (NoSuchFileException removedMeanwhile) {
      return null;
    }
  }

  private void closeWalk() throws IOException {
    EntryFile of = file;
    file = null;
    walk = null;
    if (of != null) {
      of.close();
    }
  }

  private void closeLooked() throws IOException {
    EntryFile of = looked;
    looked = null;
    if (of != null) {
      of.close();
    }
  }
}
