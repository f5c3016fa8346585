package dev.upcall.specweb.load;

import dev.upcall.specweb.FileSet;

/** Sends GETs. */
@FunctionalInterface
public interface Requester {
  /** Asks for a file; exactly one answer comes later, on the same thread, never inside the call. */
  void get(FileSet.Entry entry, Listener listener);

  /** Hears of the end of a request. */
  @FunctionalInterface
  interface Listener {
    /** The request has ended, well or not. */
    void answered(Answer answer);
  }
}
