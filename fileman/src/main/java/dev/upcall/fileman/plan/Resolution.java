package dev.upcall.fileman.plan;

import dev.upcall.StorePath;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import java.util.List;

/** Where a path leads. */
public sealed interface Resolution {
  /** Why a directory that was found, but not by a name, cannot lose the one that it has. */
  static Refused withoutName(StorePath path, String done) {
    return new Refused(
        new Failure.Invalid(
            path.isRoot()
                ? "the root directory cannot be " + done
                : path + " cannot be " + done + ": name it as an entry of its parent"));
  }

  /**
   * To something.
   *
   * @param directory the directory that holds the name; itself for one that was reached by none:
   *     the root, the one in which the path begins, and any reached by dots
   * @param name the name there; empty for such a directory
   * @param led see {@link dev.upcall.request.Resolved#led}
   */
  record Found(long directory, String name, long id, Kind kind, List<StorePath> led)
      implements Resolution {
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
   * @param led see {@link dev.upcall.request.Resolved#led}
   */
  record Missing(long directory, List<String> names, List<StorePath> led) implements Resolution {
    /** Whether only the last name is missing. */
    boolean inExistingDirectory() {
      return names.size() == 1;
    }
  }
}
