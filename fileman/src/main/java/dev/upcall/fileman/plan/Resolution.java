package dev.upcall.fileman.plan;

import dev.upcall.content.Kind;
import java.util.List;

/** Where a path leads. */
public sealed interface Resolution {
  /**
   * To something.
   *
   * @param directory the directory that holds the name; for the root, and a directory reached by
   *     {@code ..}, itself
   * @param name the name there; empty for the root and a directory reached by {@code ..}
   */
  record Found(long directory, String name, long id, Kind kind) implements Resolution {
    /** Whether it was reached by a name, so that the name could be removed. */
    boolean hasName() {
      return !name.isEmpty();
    }
  }

  /**
   * To nothing, from some directory on.
   *
   * @param directory the last directory that exists
   * @param names the missing way, at least one name; all but the last would have to be directories
   */
  record Missing(long directory, List<String> names) implements Resolution {
    /** Whether only the last name is missing. */
    boolean inExistingDirectory() {
      return names.size() == 1;
    }
  }
}
