package dev.upcall.feed.replay;

import java.io.IOException;

/** What is no recording that can be replayed; the message says why. */
final class Refused extends IOException {
  private static final long serialVersionUID = 1;

  Refused(String why) {
    super(why);
  }
}
