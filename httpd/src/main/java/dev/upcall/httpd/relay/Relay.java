package dev.upcall.httpd.relay;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How an asking dispatcher talks to the one of a site: a request goes there as a message, runs
 * there, and its completion comes back as an upcall. All methods are the asking dispatcher's.
 *
 * <p>The two flight recorders know a request by two ids: it keeps that of its asker here, and
 * begins as a new one there.
 */
public final class Relay {
  private final Dispatcher asking;
  private final Dispatcher home;
  private final Outbox<Runnable> requests;
  private final Outbox<Answer<?>> answers;

  /** What requests are called in the site's recorder; that dispatcher's. */
  private int verb;

  private int origin;

  /**
   * Between two dispatchers.
   *
   * @param asking where {@link #ask} is called, and completions come
   * @param home where requests run
   */
  public Relay(Dispatcher asking, Dispatcher home) {
    this.asking = Objects.requireNonNull(asking, "asking");
    this.home = Objects.requireNonNull(home, "home");
    this.requests = new Outbox<>(asking, home, home::post);
    this.answers = new Outbox<>(home, asking, this::deliver);
  }

  /**
   * Has a request run at home.
   *
   * @param request gets a port there, which it completes once; that may be inside the call
   * @param port is completed here, never inside this call
   */
  public <T> void ask(Consumer<CompletionPort<T>> request, CompletionPort<T> port) {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(port, "port");
    requests.send(new Asked<>(this, request, port, asking.recorder().current()));
  }

  /** Completes a port here with what needed nobody's answer, never inside this call. */
  <T> void complete(CompletionPort<T> port, Completion<T> completion) {
    asking.complete(port, completion);
  }

  /** Has something run at home that nobody waits for, behind all that was asked before. */
  public void tell(Runnable upcall) {
    requests.send(Objects.requireNonNull(upcall, "upcall"));
  }

  /** Completes when all that was asked and told before has run at home. */
  public void settle(CompletionPort<Unit> port) {
    this.<Unit>ask(answer -> answer.complete(Completion.done()), port);
  }

  private <T> void deliver(Answer<T> answer) {
    FlightRecorder recorder = asking.recorder();
    recorder.serve(answer.asker);
    asking.complete(answer.port, answer.completion);
    recorder.serve(FlightRecorder.NOBODY);
  }

  /** At home. */
  private long begin(long asker) {
    FlightRecorder recorder = home.recorder();
    if (verb == 0) {
      verb = recorder.name("relayed");
      origin = recorder.name("http thread");
    }
    return recorder.begin(verb, origin, FlightRecorder.asker(asker));
  }

  /** At home. */
  private <T> void answer(Asked<T> asked, long request, Completion<T> completion) {
    FlightRecorder recorder = home.recorder();
    recorder.serve(request);
    recorder.end(verb, origin, recorder.outcome(completion));
    answers.send(new Answer<>(asked.port, completion, asked.asker));
  }

  private record Answer<T>(CompletionPort<T> port, Completion<T> completion, long asker) {}

  /** A request on its way; the upcall that begins it at home, and the port that ends it there. */
  private static final class Asked<T> implements Runnable, CompletionPort<T> {
    private final Relay relay;
    private final CompletionPort<T> port;
    private final long asker;
    private @Nullable Consumer<CompletionPort<T>> request;
    private long begun;

    Asked(Relay relay, Consumer<CompletionPort<T>> request, CompletionPort<T> port, long asker) {
      this.relay = relay;
      this.request = request;
      this.port = port;
      this.asker = asker;
    }

    @Override
    public void run() {
      Consumer<CompletionPort<T>> todo = Invariants.present(request, "a request that begins once");
      request = null;
      begun = relay.begin(asker);
      todo.accept(this);
    }

    @Override
    public void complete(Completion<T> completion) {
      relay.answer(this, begun, completion);
    }

    @Override
    public String toString() {
      return "relayed request";
    }
  }
}
