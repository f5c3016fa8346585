package dev.upcall.trees;

import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import java.util.Objects;

/** Paths of a store that a task is told as text. */
final class TreePaths {
  private TreePaths() {}

  /** An argument that may be text; {@link UpcallException.Invalid} when it can be no path. */
  static StorePath parsed(String argument, CharSequence path) {
    Objects.requireNonNull(path, argument);
    return UpcallException.value(StorePath.parse(path));
  }
}
