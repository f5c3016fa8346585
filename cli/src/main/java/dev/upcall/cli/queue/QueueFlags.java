package dev.upcall.cli.queue;

import dev.upcall.cli.option.CommandFailure;
import dev.upcall.journal.queue.ChronicleJvm;

/** Whether this JVM was started so that it can use a queue. */
public final class QueueFlags {
  private QueueFlags() {}

  /** Fails with the one sentence that names what is missing; before anything is opened. */
  public static void require() {
    try {
      ChronicleJvm.prepare();
    } catch (IllegalStateException missing) {
      throw CommandFailure.failed(missing.getMessage() + " (the upcall script does)");
    }
  }
}
