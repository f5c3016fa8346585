package dev.upcall.fileman.trees.rewrite;

import dev.upcall.completion.Failure;
import dev.upcall.trees.TreeProgress;

/** Follows and steers a rewrite. */
public interface RewriteRun {
  /** Where is shown how far it is. */
  TreeProgress progress();

  /** Whether to end early; asked often. */
  boolean isStopped();

  /** A file is stored anew. */
  void rewritten(long bytes);

  /** Somebody was quicker with a file. */
  void keptChanged(String path);

  /** A file cannot be read. */
  void problem(String path, Failure failure);
}
