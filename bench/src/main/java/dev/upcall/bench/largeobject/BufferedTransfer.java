package dev.upcall.bench.largeobject;

import dev.upcall.edit.Plan;
import dev.upcall.edit.Run;
import dev.upcall.edit.Source;
import java.util.List;

/**
 * Through a buffer of 512 KB (section 4, Starburst's updates): it is filled with one call for each
 * segment that has a part of it, and emptied with one for each that gets a part.
 */
final class BufferedTransfer implements Transfer {
  static final int BUFFER_BYTES = 512 << 10;

  private static final int PAGE_BYTES = PaperMachine.PAGE_BYTES;

  private final Pager pager;

  BufferedTransfer(Pager pager) {
    this.pager = pager;
  }

  @Override
  public void run(Plan plan, List<Segment> window, List<Segment> made) {
    long at = 0;
    for (Source source : sources(plan)) {
      if (source instanceof Source.Old old) {
        read(window.get(old.piece()).page(), old, at);
      }
      at += source.bytes();
    }
    at = 0;
    for (int i = 0; i < made.size(); i++) {
      Run run = plan.runs().get(i);
      write(made.get(i).page(), run.bytes(), at);
      at += run.bytes();
    }
  }

  private void read(int page, Source.Old part, long position) {
    long from = part.from();
    long at = position;
    while (from < part.to()) {
      long bytes = Math.min(part.to() - from, BUFFER_BYTES - at % BUFFER_BYTES);
      int first = page + (int) (from / PAGE_BYTES);
      int end = page + (int) ((from + bytes + PAGE_BYTES - 1) / PAGE_BYTES);
      pager.readStraight(first, end);
      from += bytes;
      at += bytes;
    }
  }

  private void write(int page, long count, long position) {
    long from = 0;
    long at = position;
    while (from < count) {
      long bytes = Math.min(count - from, BUFFER_BYTES - at % BUFFER_BYTES);
      pager.write(page, from, from + bytes);
      from += bytes;
      at += bytes;
    }
  }

  /** All that is gathered, without regard to the borders of runs. */
  private static List<Source> sources(Plan plan) {
    List<Source> all = plan.runs().stream().flatMap(run -> run.gathered().stream()).toList();
    return Source.joined(all);
  }
}
