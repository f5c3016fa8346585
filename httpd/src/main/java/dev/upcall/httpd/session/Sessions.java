package dev.upcall.httpd.session;

import dev.upcall.base.Invariants;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Gate;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpCounters;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.answer.ResponseEncoder;
import dev.upcall.httpd.guarding.FailedLogins;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All sessions of one server, whatever carries them: their birth, the look at their clocks, and the
 * gate that closes behind them. Dispatcher's thread only.
 */
public final class Sessions implements SessionContext.Owner {
  /** Sessions looked at in one upcall of the sweep. */
  private static final int SWEEP_PIECE = 256;

  private final SessionContext context;
  private final Gate gate;
  private final LeaseBudget budget;
  private final SessionTable table = new SessionTable();
  private final HttpCounters counters = new HttpCounters();
  private final Runnable sweep = this::sweep;
  private final Runnable whenOneEnded;
  private long lastId;
  private int swept;
  private Dispatcher.@Nullable Timer nextSweep;
  private long closeDeadlineNanos;

  /** Work under way in the store for which no session waits. */
  private int works;

  /** Sessions that have ended and are inside the gate, until no such work is under way. */
  private int endedInside;

  /** Who was there when responses began to be the last, and still is; null when they are not. */
  private @Nullable Set<HttpSession> leaving;

  /**
   * No sessions yet.
   *
   * @param whenOneEnded is run after each end of a session
   */
  public Sessions(HttpConfig config, Dispatcher dispatcher, Site site, Runnable whenOneEnded) {
    this.whenOneEnded = whenOneEnded;
    this.gate = new Gate("http server", dispatcher);
    this.budget = new LeaseBudget(dispatcher, config.responses().maxLeasedBytes());
    SiteChanges changes = config.requests().writable() ? site.changes().orElse(null) : null;
    Invariants.check(
        changes != null || !config.requests().writable(),
        "a writable server of a site that cannot change");
    ResponseEncoder encoder = new ResponseEncoder(dispatcher.clock(), config);
    context =
        new SessionContext(
            config,
            dispatcher,
            site,
            changes,
            encoder,
            counters,
            budget,
            new Admission(dispatcher, config.admission(), counters),
            new AddressShares(dispatcher, config, counters),
            new FailedLogins(),
            config
                .policy()
                .log()
                .map(log -> new RequestLog.Shared(dispatcher, counters, log))
                .orElse(null),
            this);
  }

  /**
   * A session for a new connection, which the caller makes known to the connection and then lets
   * {@link #begin}. Not when the gate is closed.
   */
  public HttpSession accept(Connection connection) {
    Invariants.check(gate.enter(), "a session behind a closed gate");
    HttpSession session = new HttpSession(context, connection, ++lastId);
    table.add(session);
    counters.add(HttpCount.ACCEPTED_CONNECTIONS);
    if (nextSweep == null) {
      scheduleSweep();
    }
    return session;
  }

  /** Lets a session take requests, unless it is one too many. */
  public void begin(HttpSession session) {
    boolean isOneTooManyOfItsAddress = session.isOneTooManyOfItsAddress(table.size());
    if (table.size() > context.config().connections().max()) {
      session.turnAway(Refusal.TOO_MANY_CONNECTIONS);
    } else if (isOneTooManyOfItsAddress) {
      counters.add(HttpCount.REFUSED_OF_ADDRESS);
      session.turnAway(Refusal.TOO_MANY_OF_ADDRESS);
    }
  }

  public int size() {
    return table.size();
  }

  public HttpMetrics metrics() {
    return counters.snapshot().with(HttpCount.OPEN_CONNECTIONS, table.size());
  }

  /**
   * Ends idle sessions now and the others behind their present response, or when the drain time is
   * over; completes when all have ended. May be asked any number of times.
   */
  public void close(CompletionPort<Unit> port) {
    boolean first = gate.isOpen();
    gate.close(port);
    if (!first) {
      return;
    }
    closeDeadlineNanos =
        context.dispatcher().clock().monotonicNanos() + context.config().timeouts().drainNanos();
    for (int i = table.size() - 1; i >= 0; i--) {
      table.get(i).close();
    }
  }

  /** Whether {@link #close} was asked. */
  @Override
  public boolean isClosing() {
    return !gate.isOpen();
  }

  @Override
  public boolean isLast(boolean moreHasCome) {
    return isClosing() || (leaving != null && !moreHasCome);
  }

  /**
   * From now on each response says that it is the last of its connection, and new connections are
   * accepted all the same. A response that has begun without saying so is not the last.
   */
  public void makeResponsesLast() {
    Set<HttpSession> now = new HashSet<>();
    for (int i = 0; i < table.size(); i++) {
      now.add(table.get(i));
    }
    leaving = now;
  }

  /** Takes {@link #makeResponsesLast} back. */
  public void keepConnections() {
    leaving = null;
  }

  /** How many of those are still there that were when responses began to be the last. */
  public int leaving() {
    return leaving == null ? 0 : leaving.size();
  }

  /** How many were not asked for anything so far. */
  public int unasked() {
    return count(session -> session.requests == 0 && !session.isAsked());
  }

  /** How many were asked for something that was not answered whole. */
  public int asked() {
    return count(HttpSession::isAsked);
  }

  private int count(Predicate<HttpSession> kind) {
    int count = 0;
    for (int i = 0; i < table.size(); i++) {
      count += kind.test(table.get(i)) ? 1 : 0;
    }
    return count;
  }

  @Override
  public void ended(HttpSession session) {
    table.remove(session);
    if (leaving != null) {
      leaving.remove(session);
    }
    whenOneEnded.run();
    if (table.size() == 0) {
      Invariants.check(
          counters.get(HttpCount.FILES_OPENED) == counters.get(HttpCount.FILES_CLOSED),
          "files opened and closed by sessions",
          counters.get(HttpCount.FILES_OPENED),
          counters.get(HttpCount.FILES_CLOSED));
      Invariants.check(
          counters.get(HttpCount.UPLOADS_BEGUN) == counters.get(HttpCount.UPLOADS_ENDED),
          "uploads begun and ended by sessions",
          counters.get(HttpCount.UPLOADS_BEGUN),
          counters.get(HttpCount.UPLOADS_ENDED));
      Invariants.check(context.shares().isEmpty(), "addresses without connections");
      Invariants.check(budget.takenBytes() == 0, "bytes held by nobody", budget.takenBytes());
      if (nextSweep != null && nextSweep.isPending()) {
        nextSweep.cancel();
        nextSweep = null;
      }
    }
    endedInside++;
    leaveGate();
  }

  @Override
  public void workBegins() {
    works++;
  }

  @Override
  public void workEnds() {
    works--;
    leaveGate();
  }

  private void leaveGate() {
    for (; works == 0 && endedInside > 0; endedInside--) {
      gate.leave();
    }
  }

  private void scheduleSweep() {
    nextSweep = context.dispatcher().schedule(context.config().timeouts().sweepNanos(), sweep);
  }

  /** Looks at some sessions, then lets others run; begins anew after the interval. */
  private void sweep() {
    long now = context.dispatcher().clock().monotonicNanos();
    boolean drainIsOver = isClosing() && now >= closeDeadlineNanos;
    for (int i = 0; i < SWEEP_PIECE && swept < table.size(); i++) {
      HttpSession session = table.get(swept++);
      if (drainIsOver) {
        session.cutOff();
      } else {
        session.checkTime(now, budget.isWanted());
      }
    }
    if (swept < table.size()) {
      context.dispatcher().post(sweep);
      return;
    }
    swept = 0;
    nextSweep = null;
    if (table.size() > 0) {
      scheduleSweep();
    }
  }
}
