package dev.upcall.bench.largeobject;

import dev.upcall.edit.Plan;
import dev.upcall.edit.Run;
import dev.upcall.edit.Source;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything in memory at once: each stretch of a segment is read with one call by the rules of the
 * pool, each run is written with one.
 */
final class WholeTransfer implements Transfer {
  private static final int PAGE_BYTES = PaperMachine.PAGE_BYTES;

  private final Pager pager;

  WholeTransfer(Pager pager) {
    this.pager = pager;
  }

  @Override
  public void run(Plan plan, List<Segment> window, List<Segment> made) {
    for (Source.Old stretch : stretches(plan)) {
      pager.read(window.get(stretch.piece()).page(), stretch.from(), stretch.to());
    }
    for (int i = 0; i < made.size(); i++) {
      Run run = plan.runs().get(i);
      if (!run.gathered().isEmpty()) {
        pager.write(made.get(i).page(), run.keptBytes(), run.bytes());
      }
    }
  }

  /** What must be read; ranges that touch or share pages are one. */
  private static List<Source.Old> stretches(Plan plan) {
    List<Source.Old> stretches = new ArrayList<>();
    for (Run run : plan.runs()) {
      Source.Old kept = run.kept();
      if (kept != null && !run.gathered().isEmpty() && kept.to() % PAGE_BYTES != 0) {
        // The page is written again with what comes behind the bytes that it has.
        add(stretches, new Source.Old(kept.piece(), firstOfPage(kept.to()), kept.to()));
      }
      for (Source source : run.gathered()) {
        if (source instanceof Source.Old old) {
          add(stretches, old);
        }
      }
    }
    return stretches;
  }

  private static void add(List<Source.Old> stretches, Source.Old next) {
    if (!stretches.isEmpty()) {
      Source.Old before = stretches.getLast();
      boolean touches = firstOfPage(before.to() - 1) + PAGE_BYTES >= firstOfPage(next.from());
      if (before.piece() == next.piece() && touches) {
        stretches.set(stretches.size() - 1, new Source.Old(next.piece(), before.from(), next.to()));
        return;
      }
    }
    stretches.add(next);
  }

  private static long firstOfPage(long offset) {
    return offset - offset % PAGE_BYTES;
  }
}
