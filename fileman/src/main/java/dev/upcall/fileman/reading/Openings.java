package dev.upcall.fileman.reading;

import dev.upcall.FileReads;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.LeaseOwner;

/**
 * Opens files for requests that came through a door. Such a request is an upcall already and its
 * completion goes to another thread, so what is in memory needs no second way through the FIFO.
 */
public final class Openings {
  private Openings() {}

  /**
   * Opens for reading, now or later. Dispatcher's thread.
   *
   * @param port may hear inside this call
   */
  public static void open(
      FileReads files, StorePath path, LeaseOwner owner, CompletionPort<OpenFile> port) {
    Completion<OpenFile> now = files.tryOpenRead(path, owner);
    if (now == null) {
      files.openRead(path, owner, port);
    } else {
      port.complete(now);
    }
  }
}
