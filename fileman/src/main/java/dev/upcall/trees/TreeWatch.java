package dev.upcall.trees;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * How the caller of a task follows and steers it.
 *
 * @param progress where is written how far it is
 * @param cancelled whether to end early; asked often, from several threads
 * @param onProblem hears of each entry that is left out and says whether to go on; called on the
 *     threads at work, one call at a time
 */
public record TreeWatch(
    TreeProgress progress,
    BooleanSupplier cancelled,
    Function<? super TreeProblem, TreeProblem.Verdict> onProblem) {
  /** Checks that nothing is missing. */
  public TreeWatch {
    Objects.requireNonNull(progress, "progress");
    Objects.requireNonNull(cancelled, "cancelled");
    Objects.requireNonNull(onProblem, "onProblem");
  }

  /** Nobody looks: to the end, past all problems, which the summary lists. */
  public static TreeWatch none() {
    return new TreeWatch(new TreeProgress(), () -> false, _ -> TreeProblem.Verdict.GO_ON);
  }

  /** The same with the progress written elsewhere. */
  public TreeWatch withProgress(TreeProgress other) {
    return new TreeWatch(other, cancelled, onProblem);
  }

  /** The same, ending early when that says so. */
  public TreeWatch withCancelled(BooleanSupplier other) {
    return new TreeWatch(progress, other, onProblem);
  }

  /** The same with something else done about problems. */
  public TreeWatch withOnProblem(Function<? super TreeProblem, TreeProblem.Verdict> other) {
    return new TreeWatch(progress, cancelled, other);
  }
}
