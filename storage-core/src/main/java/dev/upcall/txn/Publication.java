package dev.upcall.txn;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the store's thread lays a view of the state for all others, or nothing. One reference: it
 * is stored with release and loaded with acquire, so that whoever finds a view sees all of it, and
 * whoever looks twice finds no older one the second time.
 *
 * <p>Nobody who hears of a change, in whatever way, may find a view from before it: so {@link
 * #level} stands before everything by which a state gets out of the store. It makes a new view if
 * somebody has looked at the last one, and else takes that away: changes that nobody reads beside
 * cost nothing.
 */
public final class Publication {
  private final AtomicReference<@Nullable Published> present = new AtomicReference<>();
  private final LongSupplier scn;
  private final Supplier<? extends View> view;
  private boolean ended;

  /** A view, and whether somebody wants the next one: readers write that, and it may come late. */
  private static final class Published {
    private final View view;
    private boolean used;

    Published(View view, boolean used) {
      this.view = view;
      this.used = used;
    }
  }

  /**
   * Nothing is published yet.
   *
   * @param scn that of the state now
   * @param view the state as it is now, for good
   */
  public Publication(LongSupplier scn, Supplier<? extends View> view) {
    this.scn = scn;
    this.view = view;
  }

  /** What is published. Any thread. */
  public @Nullable View view() {
    Published found = present.getAcquire();
    if (found == null) {
      return null;
    }
    if (!found.used) {
      found.used = true;
    }
    return found.view;
  }

  /** No view stays that is older than the state. The store's thread. */
  public void level() {
    Published last = present.getPlain();
    if (last != null && last.view.scn() != scn.getAsLong()) {
      present.setRelease(last.used ? new Published(view.get(), /* used= */ false) : null);
    }
  }

  /** Somebody has found nothing. The store's thread. */
  public void wanted() {
    if (!ended && present.getPlain() == null) {
      present.setRelease(new Published(view.get(), /* used= */ true));
    }
  }

  /** Whether somebody has looked since this was asked last, or began. The store's thread. */
  public boolean takeUsed() {
    Published found = present.getPlain();
    if (found == null || !found.used) {
      return false;
    }
    found.used = false;
    return true;
  }

  /** Nobody finds a view any more; before anybody hears that it is over. The store's thread. */
  public void end() {
    ended = true;
    present.setRelease(null);
  }
}
