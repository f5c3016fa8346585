package dev.upcall.bench.ecommerce.machine;

import dev.upcall.bench.ecommerce.Interaction;
import dev.upcall.bench.ecommerce.Step;
import java.util.List;

/**
 * One client: thinks, is served by the application, whose database reads and changes pages one
 * after the other, and thinks again.
 */
final class Client {
  /** What the log keeps of a changed page. */
  private static final int LOGGED_BYTES = 200;

  private static final Interaction NOTHING = new Interaction("", List.of());

  private final Server server;
  private final Reader reader;
  private Interaction interaction = NOTHING;
  private long begunNanos;
  private long databaseNanos;
  private int step;
  private int page;
  private int changes;

  Client(Server server, int asker) {
    this.server = server;
    this.reader = new Reader(asker);
  }

  void think() {
    server.dispatcher().schedule(server.clientele().drawThinkNanos(), this::begin);
  }

  private void begin() {
    if (!server.clientele().goesOn()) {
      return;
    }
    interaction = server.clientele().draw();
    begunNanos = nowNanos();
    step = 0;
    page = 0;
    changes = 0;
    Front front = server.front();
    front.application().serve(front.times().applicationNanos(), this::ask);
  }

  private void ask() {
    databaseNanos = nowNanos();
    server.front().door().enter(this::asked);
  }

  private void asked() {
    Front front = server.front();
    front.database().enter(() -> front.database().work(front.times().databaseNanos(), this::goOn));
  }

  /** Has the processor, and reads on until something must be waited for. */
  private void goOn() {
    while (step < interaction.steps().size()) {
      Step now = interaction.steps().get(step);
      long at = now.page() + page;
      if (now.kind() != Step.Kind.APPEND && !server.read(at, reader, this::arrived)) {
        server.front().database().leave();
        return;
      }
      if (worked(now, at)) {
        return;
      }
    }
    server.front().database().leave();
    if (changes == 0) {
      end();
    } else {
      server.commit(changes * LOGGED_BYTES, this::end);
    }
  }

  /** The page that was waited for is there. */
  private void arrived() {
    server.front().database().enter(this::take);
  }

  private void take() {
    Step now = interaction.steps().get(step);
    if (!worked(now, now.page() + page)) {
      goOn();
    }
  }

  /** A page is done; whether the processor is at work on it and {@link #goOn} comes by itself. */
  private boolean worked(Step now, long at) {
    done(now, at);
    long nanos = server.front().times().pageNanos();
    if (nanos > 0) {
      server.front().database().work(nanos, this::goOn);
    }
    return nanos > 0;
  }

  private void done(Step now, long at) {
    if (now.changes()) {
      server.change(at);
      changes++;
    }
    page++;
    if (page == now.pages()) {
      page = 0;
      step++;
    }
  }

  private void end() {
    server.front().door().leave();
    long now = nowNanos();
    server.clientele().ended(now, now - begunNanos, now - databaseNanos);
    think();
  }

  private long nowNanos() {
    return server.dispatcher().clock().monotonicNanos();
  }
}
