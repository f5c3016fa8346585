package dev.upcall.cli.remote;

/**
 * Ends a command of which nobody hears any more, as a signal ends one that has a process of its
 * own. Streams that a command prints to pass it on, unlike an {@link java.io.IOException}.
 */
final class ClientGone extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClientGone() {
    super("the client has gone");
  }
}
