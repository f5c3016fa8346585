package dev.upcall.feed.replay;

import java.io.IOException;

/** A replay that could not go on, since what was replayed threw something. */
final class Broken extends IOException {
  private static final long serialVersionUID = 1;

  Broken(String what, Throwable thrown) {
    super(what, thrown);
  }
}
