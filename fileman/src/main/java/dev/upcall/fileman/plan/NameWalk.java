package dev.upcall.fileman.plan;

import dev.upcall.Listing;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Refused;
import dev.upcall.request.Look;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.txn.ExpiryKeys;
import dev.upcall.txn.Query;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A page of names on its way. */
public final class NameWalk implements Walk<NameWalk.Step, Listing.Names> {
  /** Names that one step goes over: some tens of microseconds. */
  private static final int STEP_NAMES = 512;

  /** As many when each of them has to be looked at. */
  private static final int LOOKED_AT_NAMES = 32;

  /** Expired files that were not deleted yet, up to which their names are compared. */
  private static final int COMPARED_EXPIRED = 64;

  /** The memory of a name. */
  private static final int NAME_BYTES = 128;

  private final Look.Names look;
  private final List<byte[]> names = new ArrayList<>();
  private @Nullable Step last;

  /**
   * What one step found.
   *
   * @param id the directory
   * @param names in UTF-8
   * @param beyond where the next one begins
   * @param more whether names may follow
   */
  public record Step(long id, List<byte[]> names, byte @Nullable [] beyond, boolean more) {}

  /** Begins. */
  public NameWalk(Look.Names look) {
    this.look = look;
  }

  @Override
  public boolean isComplete() {
    Step step = last;
    return step != null && (!step.more() || names.size() == look.range().limit());
  }

  @Override
  public int maxBytes() {
    return look.range().limit() * NAME_BYTES;
  }

  @Override
  public Query<Step> nextStep() {
    Step before = last;
    int limit = Math.min(STEP_NAMES, look.range().limit() - names.size());
    return view ->
        Refused.catching(
            () ->
                before == null
                    ? step(
                        view, Looks.directory(view, look.directory()).inode().id(), first(), limit)
                    : step(view, Looks.directory(view, before.id()).id(), before.beyond(), limit));
  }

  @Override
  public void take(Step step) {
    names.addAll(step.names());
    last = step;
  }

  /** Each name becomes text when it is asked for. */
  @Override
  public Listing.Names result() {
    return new Listing.Names(
        new Texts(names), Invariants.present(last, "a step of a walk over names").more());
  }

  private byte @Nullable [] first() {
    return look.range().beyond().map(PutCheck::checkedName).orElse(null);
  }

  private Step step(View view, long id, byte @Nullable [] beyond, int limit) {
    CommittedNames present = new CommittedNames(view);
    Set<byte[]> expired = expired(view);
    boolean looksAtEach = expired.size() > COMPARED_EXPIRED;
    int most = looksAtEach ? Math.min(limit, LOOKED_AT_NAMES) : limit;
    View.Scan scan = scan(view, id, beyond);
    List<byte[]> found = new ArrayList<>(most);
    byte[] reached = beyond;
    for (int passed = 0; scan.next(); passed++) {
      byte[] key = scan.key();
      if (!Names.isEntryOf(key, id)) {
        return new Step(id, found, reached, false);
      }
      if (passed == most) {
        return new Step(id, found, reached, true);
      }
      reached = Names.nameBytesIn(key);
      boolean isThere = looksAtEach ? present.entry(id, reached) != null : !expired.contains(key);
      if (isThere) {
        found.add(reached);
      }
    }
    return new Step(id, found, reached, false);
  }

  private View.Scan scan(View view, long id, byte @Nullable [] beyond) {
    return switch (look.range().direction()) {
      case ASCENDING ->
          view.from(StoreTree.NAMES, beyond == null ? TreeKeys.of(id) : Names.keyAfter(id, beyond));
      case DESCENDING ->
          view.below(
              StoreTree.NAMES, beyond == null ? Names.keyAfterAll(id) : Names.key(id, beyond));
    };
  }

  /** The keys of names that led to what has expired; one more than are compared at most. */
  private static Set<byte[]> expired(View view) {
    Set<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    View.Scan scan = view.from(StoreTree.EXPIRY, new byte[0]);
    while (keys.size() <= COMPARED_EXPIRED
        && scan.next()
        && ExpiryKeys.expiresNanos(scan.key()) <= view.timeNanos()) {
      keys.add(scan.value());
    }
    return keys;
  }

  /** Names as text. */
  private static final class Texts extends AbstractList<String> {
    private final List<byte[]> names;

    Texts(List<byte[]> names) {
      this.names = names;
    }

    @Override
    public String get(int index) {
      return new String(names.get(index), StandardCharsets.UTF_8);
    }

    @Override
    public int size() {
      return names.size();
    }
  }
}
