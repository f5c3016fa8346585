package dev.upcall.bench.host;

/** A program to compare with is not here; the message says how to install it. */
public final class MissingPeerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With the reason and what to do. */
  public MissingPeerException(String message) {
    super(message);
  }
}
