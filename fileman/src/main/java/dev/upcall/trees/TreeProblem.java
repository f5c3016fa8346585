package dev.upcall.trees;

import java.util.List;
import java.util.Objects;

/**
 * One entry that could not be carried over, and was left out.
 *
 * @param path where, as the host or the store names it
 * @param reason why, and what to do where something can be done
 * @param unreadable which ranges of a file's content cannot be read, in their order; empty where it
 *     was left out for another reason
 */
public record TreeProblem(String path, String reason, List<Range> unreadable) {
  /**
   * Bytes of a file, in whole blocks but for its end.
   *
   * @param offset the first
   * @param bytes how many
   */
  public record Range(long offset, long bytes) {
    @Override
    public String toString() {
      return "bytes %d to %d".formatted(offset, offset + bytes - 1);
    }
  }

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
    unreadable = List.copyOf(Objects.requireNonNull(unreadable, "unreadable"));
  }

  /** An entry that was left out, but not because its content cannot be read. */
  public TreeProblem(String path, String reason) {
    this(path, reason, List.of());
  }
}
