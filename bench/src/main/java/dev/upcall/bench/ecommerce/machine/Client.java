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

  private final DatabaseServer server;
  private final Reader reader;
  private Interaction interaction = NOTHING;
  private long begunNanos;
  private long databaseNanos;
  private int step;
  private int page;
  private int changes;

  Client(DatabaseServer server, int asker) {
    this.server = server;
    this.reader = new Reader(asker);
  }

  void think() {
    server.dispatcher().schedule(server.drawThinkNanos(), this::begin);
  }

  private void begin() {
    interaction = server.draw();
    begunNanos = server.nowNanos();
    step = 0;
    page = 0;
    changes = 0;
    server.application().serve(server.plan().times().applicationNanos(), this::ask);
  }

  private void ask() {
    databaseNanos = server.nowNanos();
    server.door().enter(this::asked);
  }

  private void asked() {
    server.database().serve(server.plan().times().databaseNanos(), this::goOn);
  }

  /** Reads on until something must be waited for. */
  private void goOn() {
    while (step < interaction.steps().size()) {
      Step now = interaction.steps().get(step);
      long at = now.page() + page;
      if (now.kind() != Step.Kind.APPEND
          && !server.cache().read(at, server.table(at), reader, this::arrived)) {
        return;
      }
      done(now, at);
    }
    if (changes == 0) {
      end();
    } else {
      server.commit(changes * LOGGED_BYTES, this::end);
    }
  }

  /** The page that was waited for is there. */
  private void arrived() {
    Step now = interaction.steps().get(step);
    done(now, now.page() + page);
    goOn();
  }

  private void done(Step now, long at) {
    if (now.changes()) {
      server.cache().change(at);
      changes++;
    }
    page++;
    if (page == now.pages()) {
      page = 0;
      step++;
    }
  }

  private void end() {
    server.door().leave();
    server.ended(server.nowNanos() - begunNanos, server.nowNanos() - databaseNanos);
    think();
  }
}
