package dev.upcall.cli.remote;

import java.io.InputStream;
import java.io.OutputStream;

/** A command's surroundings, which are in another process. */
public interface RemoteConsole {
  /** The client's standard input; nothing is taken from it that was not asked for. */
  InputStream in();

  /** The client's standard output: flushed when the client has written it. */
  OutputStream out();

  /** The client's standard error. Any thread; never fails. */
  OutputStream err();

  /** Runs something when the client asks for the end or goes away, at once if it has. */
  void whenCancelled(Runnable action);

  /**
   * From now on a cancelled command finds its own end, in good order. Before, its streams end it
   * (by an exception out of the next read or write).
   */
  void endsByItself();
}
