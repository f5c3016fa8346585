package dev.upcall.httpd.session;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.guard.Access;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCounters;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.answer.ResponseEncoder;
import dev.upcall.httpd.guarding.FailedLogins;
import org.jspecify.annotations.Nullable;

/**
 * What all sessions of one server share; dispatcher's thread only.
 *
 * @param config the limits
 * @param dispatcher whose upcalls run the sessions
 * @param site what is served
 * @param changes its writing half, or null if nothing may be changed
 * @param encoder writes heads
 * @param counters are counted up
 * @param budget what all sessions may hold together
 * @param admission which requests may begin
 * @param shares what each address has
 * @param failures credentials that nobody has
 * @param lines of the access log; null without one
 * @param owner is told of the end of each session, and knows whether the server is closing
 */
record SessionContext(
    HttpConfig config,
    Dispatcher dispatcher,
    Site site,
    @Nullable SiteChanges changes,
    ResponseEncoder encoder,
    HttpCounters counters,
    LeaseBudget budget,
    Admission admission,
    AddressShares shares,
    FailedLogins failures,
    RequestLog.@Nullable Shared lines,
    Owner owner) {

  /** Where the requests of a connection come from; null where nobody wants to know. */
  @Nullable Origin origin(Connection connection) {
    return config.policy().asksForClients()
        ? new Origin(connection, config.policy().proxies())
        : null;
  }

  /** The rules in front of a connection; null without any. */
  @Nullable Guard guard(Connection connection, @Nullable Origin origin) {
    Access rules = config.policy().access().orElse(null);
    return rules == null || origin == null ? null : new Guard(rules, this, connection, origin);
  }

  /** The lines of a connection in the access log; null without one. */
  @Nullable RequestLog log(@Nullable Origin origin, @Nullable Guard guard) {
    return lines == null || origin == null ? null : new RequestLog(lines, origin, guard);
  }

  /** Who keeps the sessions. */
  interface Owner {
    /** The session reached its end and holds nothing any more. Once for each session. */
    void ended(HttpSession session);

    /**
     * Something begins in the store that its session does not wait for, and that is not to be lost
     * when the server closes; {@link #workEnds} must follow, once.
     */
    void workBegins();

    /** Something of that kind has ended, well or not. */
    void workEnds();

    /** Whether connections end, with the response under way if there is one. */
    boolean isClosing();

    /**
     * Whether a response that begins now says that it is the last of its connection.
     *
     * @param moreHasCome whether the client has asked for more already
     */
    boolean isLast(boolean moreHasCome);
  }
}
