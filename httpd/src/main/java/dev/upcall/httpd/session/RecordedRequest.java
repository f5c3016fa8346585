package dev.upcall.httpd.session;

import dev.upcall.fsm.FlightRecorder;
import dev.upcall.httpd.HttpVerb;
import io.netty.handler.codec.http.HttpMethod;

/**
 * The request that a session answers, as the flight recorder knows it. What the socket brings comes
 * for nobody, so the session says at each of its upcalls whom it serves.
 */
final class RecordedRequest {
  private static final String BROKEN = "Broken";

  private final FlightRecorder recorder;
  private final int verbs;
  private final int origin;
  private final int asker;
  private int verb;
  private long id = FlightRecorder.NOBODY;

  RecordedRequest(FlightRecorder recorder) {
    this.recorder = recorder;
    this.verbs = recorder.names(HttpVerb.class);
    this.origin = recorder.name("socket");
    this.asker = recorder.newSession();
  }

  /** A request has come; what its method is counted as. */
  HttpVerb begin(HttpMethod method) {
    HttpVerb counted = HttpVerb.of(method);
    verb = verbs + counted.index();
    id = recorder.begin(verb, origin, asker);
    return counted;
  }

  /** What follows in this upcall is done for it; for nobody, if there is none. */
  void serve() {
    recorder.serve(id);
  }

  /** It was answered whole, or will never be. Nothing if there is none. */
  void end(boolean whole) {
    if (id != FlightRecorder.NOBODY) {
      serve();
      recorder.end(verb, origin, whole ? recorder.done() : recorder.name(BROKEN));
      id = FlightRecorder.NOBODY;
      serve();
    }
  }
}
