package dev.upcall.fileman.trees.host;

/** The user asked for the end of a transfer. */
public final class StoppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoppedException() {
    super("stopped");
  }
}
