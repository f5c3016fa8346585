package dev.upcall.bench.ecommerce.volume;

import dev.upcall.fsm.Dispatcher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Changed pages that are still to be written: those of a file that are old enough go there together
 * in the order of the file and are flushed as one. While there are too many all go, however old,
 * and who has changed something waits. Dispatcher's thread only.
 */
final class WriteBack {
  private final Dispatcher dispatcher;
  private final Versions versions;
  private final List<FileWriter> writers;
  private final Habits habits;
  private final BitSet changed = new BitSet();
  private final BitSet writing = new BitSet();
  private final long[] changedNanos;
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private final ArrayDeque<Runnable> drained = new ArrayDeque<>();
  private long writtenPages;

  /**
   * When pages are written.
   *
   * @param ageNanos after so long
   * @param everyNanos and looked for so often
   * @param mostPages that may be changed and not written
   */
  record Habits(long ageNanos, long everyNanos, int mostPages) {}

  /** Nothing has changed. */
  WriteBack(Dispatcher dispatcher, Versions versions, List<FileWriter> writers, Habits habits) {
    this.dispatcher = dispatcher;
    this.versions = versions;
    this.writers = List.copyOf(writers);
    this.habits = habits;
    this.changedNanos = new long[versions.pages()];
    dispatcher.schedule(habits.everyNanos, this::writeOld);
  }

  /** Whether a page is here, because it has changed or because it is being written. */
  boolean holds(long page) {
    return changed.get((int) page) || writing.get((int) page);
  }

  /** A page has changed. */
  void change(long page) {
    int at = (int) page;
    versions.change(page);
    if (!changed.get(at)) {
      changed.set(at);
      changedNanos[at] = dispatcher.clock().monotonicNanos();
    }
  }

  /** Runs it when there is room for what has changed; at once if there is. */
  void whenRoom(Runnable then) {
    if (isFull()) {
      waiting.addLast(then);
      writeWhatIsDue();
    } else {
      then.run();
    }
  }

  /** Runs it when everything is written, if nobody changes anything more. */
  void drain(Runnable then) {
    drained.addLast(then);
    writeWhatIsDue();
    letOut();
  }

  /** How many pages were written. */
  long writtenPages() {
    return writtenPages;
  }

  private boolean isFull() {
    return changed.cardinality() + writing.cardinality() > habits.mostPages;
  }

  private void writeOld() {
    writeWhatIsDue();
    dispatcher.schedule(habits.everyNanos, this::writeOld);
  }

  private void writeWhatIsDue() {
    boolean all = isFull() || !drained.isEmpty();
    long until = all ? Long.MAX_VALUE : dispatcher.clock().monotonicNanos() - habits.ageNanos;
    for (FileWriter writer : writers) {
      if (!writer.isBusy()) {
        begin(writer, until);
      }
    }
  }

  private void begin(FileWriter writer, long untilNanos) {
    PageFile.Place place = writer.file().place();
    List<Long> due = new ArrayList<>();
    int at = changed.nextSetBit((int) place.firstPage());
    while (at >= 0 && at < place.endPage()) {
      if (changedNanos[at] <= untilNanos) {
        due.add((long) at);
      }
      at = changed.nextSetBit(at + 1);
    }
    if (!due.isEmpty()) {
      due.forEach(
          page -> {
            changed.clear(page.intValue());
            writing.set(page.intValue());
          });
      writer.write(due, () -> written(due));
    }
  }

  private void written(List<Long> pages) {
    pages.forEach(page -> writing.clear(page.intValue()));
    writtenPages += pages.size();
    while (!waiting.isEmpty() && !isFull()) {
      waiting.removeFirst().run();
    }
    if (isFull() || !drained.isEmpty()) {
      writeWhatIsDue();
      letOut();
    }
  }

  private void letOut() {
    if (changed.isEmpty() && writing.isEmpty()) {
      while (!drained.isEmpty()) {
        drained.removeFirst().run();
      }
    }
  }
}
