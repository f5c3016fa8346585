package dev.upcall.bench.ecommerce.volume;

import dev.upcall.completion.CompletionPort;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What went wrong first; a run ends with it. Written by the dispatcher's thread, read by any. */
final class Trouble {
  private final Consumer<String> listener;
  private volatile @Nullable String first;

  /**
   * Nothing yet.
   *
   * @param listener told of the first
   */
  Trouble(Consumer<String> listener) {
    this.listener = listener;
  }

  /** Something is wrong. */
  void found(String what) {
    if (first == null) {
      first = what;
      listener.accept(what);
    }
  }

  /** A port to which no failure should come. */
  <T> CompletionPort<T> port(String what, Consumer<? super T> done) {
    return CompletionPort.of(done, failure -> found(what + ": " + failure.message()));
  }

  /** What was found first, or null. */
  @Nullable String first() {
    return first;
  }

  /** Fails when something was found. */
  void check() {
    String found = first;
    if (found != null) {
      throw new IllegalStateException(found);
    }
  }
}
