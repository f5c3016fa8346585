package dev.upcall.fileman.machine;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.Listing;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.txn.ReadSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One listing on its way, in steps: a few names in one look, then what they lead to in as many
 * looks at once, so that pages that are not in memory are read side by side and others run in
 * between.
 */
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
        if (page.names().isEmpty()) {
          ended(page);
        } else {
          new Step(page).look();
        }
      }
    }
  }

  private void ended(Looks.Page page) {
    if (page.nextAfter() == null || entries.size() == limit) {
      port.complete(Completion.done(new Listing(page.directory(), entries, page.nextAfter())));
    } else {
      reading.query(Looks.nextPage(page, nextStep()), this);
    }
  }

  /** What the names of one step lead to. */
  private final class Step {
    private final Looks.Page page;
    private final @Nullable FileInfo[] found;
    private int missing;
    private Completion.@Nullable Failed<?> failed;

    Step(Looks.Page page) {
      this.page = page;
      this.missing = page.names().size();
      this.found = new FileInfo[missing];
    }

    void look() {
      for (int i = 0; i < found.length; i++) {
        int index = i;
        reading.query(
            Looks.entry(page.id(), page.names().get(i)), completion -> seen(index, completion));
      }
    }

    private void seen(int index, Completion<Optional<FileInfo>> completion) {
      switch (completion) {
        case Completion.Failed<Optional<FileInfo>> failure -> failed = failure;
        case Completion.Done<Optional<FileInfo>>(Optional<FileInfo> info) ->
            found[index] = info.orElse(null);
      }
      missing--;
      if (missing > 0) {
        return;
      }
      if (failed != null) {
        port.complete(failed.cast());
        return;
      }
      // A name that went away meanwhile is not listed.
      for (FileInfo info : Arrays.asList(found)) {
        if (info != null) {
          entries.add(info);
        }
      }
      ended(page);
    }
  }
}
