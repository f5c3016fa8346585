package dev.upcall.feed;

import dev.upcall.completion.CompletionPort;
import dev.upcall.fsm.FlightRecorder;
import java.util.function.Consumer;

/** The work of a feed in the flight recorder: requests that came from a queue. */
final class FeedFlight {
  private final FlightRecorder recorder;
  private final int origin;

  FeedFlight(FlightRecorder recorder) {
    this.recorder = recorder;
    this.origin = recorder.name("queue");
  }

  /**
   * Begins work, which with all that is asked for it is a request of its own.
   *
   * @param verb what is done
   * @param work is given the port by whose completion it ends
   * @param port hears of that, for no request
   */
  <T> void begin(String verb, Consumer<CompletionPort<T>> work, CompletionPort<T> port) {
    int name = recorder.name(verb);
    long before = recorder.current();
    long request = recorder.begin(name, origin);
    work.accept(
        done -> {
          recorder.serve(request);
          recorder.end(name, origin, recorder.outcome(done));
          recorder.serve(FlightRecorder.NOBODY);
          port.complete(done);
        });
    recorder.serve(before);
  }
}
