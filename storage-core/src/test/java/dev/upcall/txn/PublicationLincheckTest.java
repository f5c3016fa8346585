package dev.upcall.txn;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The thread boundary of readers under a model checker: one thread changes the state and tells of
 * it, others hear and look. Whatever the interleaving, each look finds nothing, or a state that is
 * not before what its thread has heard of, or has seen before; and nothing once it has heard of the
 * end.
 */
@Tag("races")
class PublicationLincheckTest {
  /** A state that is a number, and what readers have heard of it. */
  private static class State {
    final AtomicInteger heard = new AtomicInteger();
    volatile boolean over;
    int scn;
    final Publication publication = new Publication(() -> scn, () -> new Moment(scn, null));

    /** Whether a look finds what it may. */
    boolean isRight() {
      boolean ended = over;
      int atLeast = heard.get();
      View view = publication.view();
      if (view == null) {
        return true;
      }
      int found = (int) view.scn();
      heard.accumulateAndGet(found, Math::max);
      return !ended && found >= atLeast;
    }

    void tell() {
      heard.accumulateAndGet(scn, Math::max);
    }
  }

  /** The real one. */
  public static class RealPublication extends State {
    @Operation
    public boolean look() {
      return isRight();
    }

    @Operation(nonParallelGroup = "store")
    public void change() {
      scn++;
      publication.level();
      tell();
    }

    @Operation(nonParallelGroup = "store")
    public void wanted() {
      publication.wanted();
    }

    @Operation(nonParallelGroup = "store")
    public void end() {
      publication.end();
      over = true;
    }
  }

  /** It tells of a change that nobody can see yet. */
  public static class TellsTooEarly extends State {
    @Operation
    public boolean look() {
      return isRight();
    }

    @Operation(nonParallelGroup = "store")
    public void change() {
      scn++;
      tell();
      publication.level();
    }

    @Operation(nonParallelGroup = "store")
    public void wanted() {
      publication.wanted();
    }
  }

  /** It says that it is over before the view is away. */
  public static class EndsTooLate extends State {
    @Operation
    public boolean look() {
      return isRight();
    }

    @Operation(nonParallelGroup = "store")
    public void wanted() {
      publication.wanted();
    }

    @Operation(nonParallelGroup = "store")
    public void end() {
      over = true;
      publication.end();
    }
  }

  @Test
  void whoHearsOfAChangeFindsNothingOlder() {
    Moment.options(10).check(RealPublication.class);
  }

  @Test
  void canaryAChangeThatIsToldTooEarlyIsFound() {
    assertThrows(AssertionError.class, () -> Moment.options(25).check(TellsTooEarly.class));
  }

  @Test
  void canaryAnEndThatIsToldTooEarlyIsFound() {
    assertThrows(AssertionError.class, () -> Moment.options(25).check(EndsTooLate.class));
  }
}
