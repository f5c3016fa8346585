package dev.upcall.trees;

import java.util.Objects;

/**
 * One entry that could not be carried over, and was left out.
 *
 * @param path where, as the host or the store names it
 * @param reason why, and what to do where something can be done
 */
public record TreeProblem(String path, String reason) {
  /** What to do when an entry could not be carried over. */
  public enum Verdict {
    /** Leave it out, list it in the summary, do the others. */
    GO_ON,
    /** End: what is done stays, the rest is not begun. */
    STOP
  }

  /** Checks that nothing is missing. */
  public TreeProblem {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(reason, "reason");
  }
}
