package dev.upcall.fileman.plan;

import dev.upcall.FileInfo;
import dev.upcall.Listing;
import dev.upcall.base.Invariants;
import dev.upcall.content.Texts;
import dev.upcall.request.Look;
import dev.upcall.txn.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A page of a directory on its way: a few entries in one look. */
public final class ListWalk implements Walk<Looks.Page, Listing> {
  /** The memory of an entry, with a name of common length. */
  private static final int ENTRY_BYTES = 512;

  private final Look.ListPage look;
  private final int stepEntries;
  private final List<FileInfo> entries = new ArrayList<>();
  private Looks.@Nullable Page last;

  /**
   * Begins.
   *
   * @param stepEntries how many entries one look goes over
   */
  public ListWalk(Look.ListPage look, int stepEntries) {
    this.look = look;
    this.stepEntries = stepEntries;
  }

  @Override
  public boolean isComplete() {
    Looks.Page page = last;
    return page != null && (page.nextAfter() == null || entries.size() == look.limit());
  }

  @Override
  public int maxBytes() {
    return look.limit() * ENTRY_BYTES;
  }

  @Override
  public Query<Looks.Page> nextStep() {
    Looks.Page before = last;
    int step = Math.min(stepEntries, look.limit() - entries.size());
    if (before != null) {
      return Looks.nextPage(before, step);
    }
    String after = look.afterName();
    return Looks.page(
        look.directory(), after.isEmpty() ? null : Texts.utf8(after).orElse(null), step);
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
