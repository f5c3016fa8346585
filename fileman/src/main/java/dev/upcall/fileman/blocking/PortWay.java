package dev.upcall.fileman.blocking;

import dev.upcall.completion.CompletionPort;
import java.util.function.Consumer;

/** How requests of one program come in: side by side, or each behind the one before. */
interface PortWay {
  /**
   * Has a request made on the dispatcher's thread; its completion comes where the program polls.
   */
  <T> void request(Consumer<CompletionPort<T>> request, CompletionPort<T> port);
}
