package dev.upcall.fileman.machine;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.Listing;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.txn.ReadSource;
import java.util.ArrayList;
import java.util.List;

/** One listing on its way, in steps: a few entries in one look, so that others run in between. */
final class ListRun implements CompletionPort<Looks.Page> {
  private final ReadSource reading;
  private final int stepEntries;
  private final int limit;
  private final CompletionPort<Listing> port;
  private final List<FileInfo> entries = new ArrayList<>();

  ListRun(ReadSource reading, int stepEntries, int limit, CompletionPort<Listing> port) {
    this.reading = reading;
    this.stepEntries = stepEntries;
    this.limit = limit;
    this.port = port;
  }

  /** How many entries the next step may look at. */
  int nextStep() {
    return Math.min(stepEntries, limit - entries.size());
  }

  @Override
  public void complete(Completion<Looks.Page> completion) {
    switch (completion) {
      case Completion.Failed<Looks.Page> failed -> port.complete(failed.cast());
      case Completion.Done<Looks.Page>(Looks.Page page) -> {
        entries.addAll(page.entries());
        if (page.nextAfter() == null || entries.size() == limit) {
          port.complete(Completion.done(new Listing(page.directory(), entries, page.nextAfter())));
        } else {
          reading.query(Looks.nextPage(page, nextStep()), this);
        }
      }
    }
  }
}
