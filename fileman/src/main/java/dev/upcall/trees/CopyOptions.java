package dev.upcall.trees;

import static dev.upcall.trees.TreePaths.parsed;

import dev.upcall.StorePath;
import java.util.Objects;

/**
 * What to copy or clone, and where to. Symbolic links are copied as links.
 *
 * @param source a directory with all below it, or one file or link
 * @param target the path that it gets; missing directories on the way are made
 * @param present what happens to files that are there
 */
public record CopyOptions(StorePath source, StorePath target, Present present) {
  /** Checks that nothing is missing. */
  public CopyOptions {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(present, "present");
  }

  /** What is there stays. */
  public static CopyOptions of(CharSequence source, CharSequence target) {
    return new CopyOptions(parsed("source", source), parsed("target", target), Present.KEEP);
  }

  /** The same with something else done about files that are there. */
  public CopyOptions withPresent(Present other) {
    return new CopyOptions(source, target, other);
  }
}
