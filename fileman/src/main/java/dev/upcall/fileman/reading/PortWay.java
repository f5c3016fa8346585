package dev.upcall.fileman.reading;

import dev.upcall.completion.CompletionPort;
import java.util.Objects;
import java.util.function.Consumer;

/** How requests come to the dispatcher's thread: side by side, or each behind the one before. */
public interface PortWay {
  /** For who is there already. */
  PortWay HERE =
      new PortWay() {
        @Override
        public <T> void request(Consumer<CompletionPort<T>> request, CompletionPort<T> port) {
          request.accept(Objects.requireNonNull(port, "port"));
        }
      };

  /** Has a request made on the dispatcher's thread; its completion comes where the others do. */
  <T> void request(Consumer<CompletionPort<T>> request, CompletionPort<T> port);
}
