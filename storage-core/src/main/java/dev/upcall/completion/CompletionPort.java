package dev.upcall.completion;

/**
 * Where a completion is delivered. A port is <em>active</em>: its upcall runs on the dispatcher
 * thread that serviced the request, exactly once, never inside the call that made the request, and
 * must not block. A passive port is an active port whose upcall only enqueues.
 *
 * @param <T> the value's type
 */
@FunctionalInterface
public interface CompletionPort<T> {
  /** The upcall. */
  void complete(Completion<T> completion);
}
