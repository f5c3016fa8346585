package dev.upcall.fsm;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;

/** The port of one who waits in a line that others serve: in its upcall its request is current. */
record WaitingPort<T>(FlightRecorder recorder, long request, CompletionPort<T> port)
    implements CompletionPort<T> {
  @Override
  public void complete(Completion<T> completion) {
    long before = recorder.current();
    recorder.serve(request);
    port.complete(completion);
    recorder.serve(before);
  }
}
