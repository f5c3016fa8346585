package dev.upcall.txn;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import java.util.function.Consumer;

/**
 * Thrown by the plan of a change that stands on where content lies, when the store has moved that
 * content meanwhile and changed none of it; or of one that has to read content and write some of it
 * before it knows what it does ({@code SegmentEdits}). As with a missing page, what is lacking is
 * brought first, and then the plan begins again from its start. Cheap, without a stack trace; never
 * crosses the boundary of a change.
 */
public final class Overtaken extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient Consumer<CompletionPort<Unit>> remedy;

  /**
   * Says what to do.
   *
   * @param remedy makes the change for where the content lies now; it must not complete its port
   *     inside the call
   */
  public Overtaken(Consumer<CompletionPort<Unit>> remedy) {
    super(null, null, false, false);
    this.remedy = remedy;
  }

  public void catchUp(CompletionPort<Unit> port) {
    remedy.accept(port);
  }

  @Override
  public String getMessage() {
    return "content has moved since its change was prepared";
  }
}
