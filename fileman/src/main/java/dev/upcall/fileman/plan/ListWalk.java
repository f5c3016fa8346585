package dev.upcall.fileman.plan;

import dev.upcall.FileInfo;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.content.Texts;
import dev.upcall.txn.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A page of a directory on its way: a few entries in one look. */
public final class ListWalk implements Walk<Looks.Page, Listing> {
  private final StorePath directory;
  private final String afterName;
  private final int limit;
  private final int stepEntries;
  private final List<FileInfo> entries = new ArrayList<>();
  private Looks.@Nullable Page last;

  /**
   * Begins; name and limit must be such that {@link Listing#refuses} does not refuse them.
   *
   * @param stepEntries how many entries one look goes over
   */
  public ListWalk(StorePath directory, String afterName, int limit, int stepEntries) {
    this.directory = directory;
    this.afterName = afterName;
    this.limit = limit;
    this.stepEntries = stepEntries;
  }

  @Override
  public boolean isComplete() {
    Looks.Page page = last;
    return page != null && (page.nextAfter() == null || entries.size() == limit);
  }

  @Override
  public Query<Looks.Page> nextStep() {
    Looks.Page before = last;
    int step = Math.min(stepEntries, limit - entries.size());
    if (before != null) {
      return Looks.nextPage(before, step);
    }
    return Looks.page(
        directory, afterName.isEmpty() ? null : Texts.utf8(afterName).orElse(null), step);
  }

  @Override
  public void take(Looks.Page page) {
    entries.addAll(page.entries());
    last = page;
  }

  @Override
  public Listing result() {
    Looks.Page page = Invariants.present(last, "a step of a listing");
    return new Listing(page.directory(), entries, Optional.ofNullable(page.nextAfter()));
  }
}
