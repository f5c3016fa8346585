package dev.upcall.txn.change;

import dev.upcall.completion.Failure;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.segment.Stager;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** New content on its way: each piece that is being brought in, and how many there may be. */
public final class StagingLimit {
  private final Stager.Parts parts;
  private final int limit;
  private final Runnable whenOneEnded;
  private final LinkedHashSet<Stager> open = new LinkedHashSet<>();

  /**
   * A limit.
   *
   * @param limit how many at once
   * @param whenOneEnded runs when one is no longer open
   */
  public StagingLimit(Stager.Parts parts, int limit, Runnable whenOneEnded) {
    this.parts = parts;
    this.limit = limit;
    this.whenOneEnded = whenOneEnded;
  }

  /** What new content is brought in with. */
  public Stager.Parts parts() {
    return parts;
  }

  public ContentStager open(LeaseOwner owner) {
    Stager[] self = new Stager[1];
    Stager stager = new Stager(parts, owner, () -> ended(self[0]));
    self[0] = stager;
    open.add(stager);
    return stager;
  }

  private void ended(Stager stager) {
    open.remove(stager);
    whenOneEnded.run();
  }

  /** Why one more would be too many, or null. */
  @Nullable public Failure refusesMore() {
    return open.size() < limit ? null : new Failure.Busy("new content on its way");
  }

  public int count() {
    return open.size();
  }

  public void discardAll() {
    List.copyOf(open).forEach(Stager::discard);
  }
}
