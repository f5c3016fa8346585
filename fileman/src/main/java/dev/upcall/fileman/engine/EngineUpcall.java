package dev.upcall.fileman.engine;

import dev.upcall.FileManager;
import dev.upcall.Upcall;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import java.util.function.BiConsumer;

/** A store, whichever engine serves it, with its state machines. */
public interface EngineUpcall extends Upcall {
  /**
   * Makes a request of the file manager on the thread of the machines, and waits. Any other thread.
   */
  <T> Completion<T> amongMachines(BiConsumer<FileManager, CompletionPort<T>> request);
}
