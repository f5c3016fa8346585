package dev.upcall.fileman.trees;

/** The user asked for the end of a transfer. */
final class StoppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoppedException() {
    super("stopped");
  }
}
