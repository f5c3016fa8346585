package dev.upcall.txn.state;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.txn.Moment;
import dev.upcall.txn.Publication;
import dev.upcall.txn.View;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What is remembered of names, under a model checker: one thread changes a name and publishes,
 * others look at what is published, and all of them believe and keep what is remembered. Whatever
 * the interleaving, each finds what is so at its moment.
 */
@Tag("races")
class NameCacheLincheckTest {
  private static final byte[] KEY = {1};

  /** A state with one name. */
  private static class State {
    final NameCache cache = new NameCache(2, new ChangeStamps(2));
    private long scn;
    private byte[] value = {0};
    private final Publication publication =
        new Publication(() -> scn, () -> new Moment(scn, value));

    final boolean isRightElsewhere() {
      View view = publication.view();
      return view == null || isRight((Moment) view);
    }

    final boolean isRightHere() {
      return isRight(new Moment(scn, value));
    }

    private boolean isRight(Moment view) {
      byte[] truth = view.value();
      byte[] known = cache.get(KEY, view.scn());
      if (known == null) {
        cache.keep(KEY, truth, view.scn());
      }
      return known == null || known == truth;
    }

    final void wanted() {
      publication.wanted();
    }

    final void change(boolean stamped) {
      scn++;
      cache.changing(KEY, stamped ? scn : 0);
      value = new byte[] {(byte) scn};
      publication.level();
    }
  }

  /** The real one. */
  public static class RealCache extends State {
    @Operation
    public boolean look() {
      return isRightElsewhere();
    }

    @Operation(nonParallelGroup = "store")
    public boolean lookHere() {
      return isRightHere();
    }

    @Operation(nonParallelGroup = "store")
    public void beWanted() {
      wanted();
    }

    @Operation(nonParallelGroup = "store")
    public void change() {
      change(/* stamped= */ true);
    }
  }

  /** What is changed is forgotten, but nobody is told that it has changed. */
  public static class OnlyForgets extends State {
    @Operation
    public boolean look() {
      return isRightElsewhere();
    }

    @Operation(nonParallelGroup = "store")
    public void beWanted() {
      wanted();
    }

    @Operation(nonParallelGroup = "store")
    public void change() {
      change(/* stamped= */ false);
    }
  }

  @Test
  void eachFindsWhatIsSoAtItsMoment() {
    Moment.options(10).check(RealCache.class);
  }

  @Test
  void canaryAChangeThatOnlyForgetsIsFound() {
    assertThrows(AssertionError.class, () -> Moment.options(50).check(OnlyForgets.class));
  }
}
