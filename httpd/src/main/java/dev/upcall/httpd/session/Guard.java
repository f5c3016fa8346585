package dev.upcall.httpd.session;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.guard.Access;
import dev.upcall.guard.Caller;
import dev.upcall.guard.Credentials;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.answer.Errand;
import dev.upcall.httpd.guarding.Authorization;
import dev.upcall.httpd.guarding.GuardedSite;
import dev.upcall.httpd.guarding.Visit;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The access rules in front of one connection: tells who asks, and judges what is asked, each
 * request by the rules that are in force when it comes. Requests of a connection mostly show the
 * same, so it remembers the last. Dispatcher's thread only.
 */
final class Guard {
  private static final Refusal NOBODYS =
      new Refusal(Status.UNAUTHORIZED, "nobody has these credentials, or they have expired");
  private static final Refusal WITHOUT_LOGIN =
      new Refusal(Status.UNAUTHORIZED, "this needs a token: as Bearer, or as password of Basic");
  private static final Refusal FORBIDDEN =
      new Refusal(Status.FORBIDDEN, "you have no right to do this here");
  private static final Refusal OPEN_LINE =
      new Refusal(
          Status.FORBIDDEN, "this needs a token, which is taken over TLS or on this machine only");
  private static final Refusal SEEN_BY_OTHERS =
      new Refusal(
          Status.FORBIDDEN,
          "tokens are taken over TLS or on this machine only; others may have seen this one:"
              + " replace it");

  private final Access access;
  private final SessionContext server;
  private final Dispatcher dispatcher;
  private final Connection connection;
  private final Origin origin;
  private @Nullable Known known;
  private @Nullable Visit visit;
  private @Nullable GuardedSite site;
  private boolean wrong;

  /** The caller that has shown a field, by these rules. */
  private record Known(Access rules, byte[] field, Caller caller) {
    /** In a time that does not tell how much of the field is right: a proxy's clients share it. */
    boolean holds(Access present, byte[] shown, long epochNanos) {
      return rules == present
          && MessageDigest.isEqual(field, shown)
          && epochNanos < caller.untilEpochNanos();
    }
  }

  /**
   * In front of a connection.
   *
   * @param origin where its requests come from
   */
  Guard(Access access, SessionContext server, Connection connection, Origin origin) {
    this.access = access;
    this.server = server;
    this.dispatcher = server.dispatcher();
    this.connection = connection;
    this.origin = origin;
  }

  /** The name of the present caller; empty where nobody knows it. */
  String name() {
    Visit present = visit;
    return present == null ? "" : present.caller().name();
  }

  /** A request has come. */
  void arrived(HttpHeaders headers) {
    Access rules = access.inForce();
    String field = Authorization.field(headers);
    site = null;
    wrong = false;
    if (field != null && !origin.isSafe()) {
      visit = Visit.turnedAway(rules, SEEN_BY_OTHERS);
      return;
    }
    Caller caller = caller(rules, field);
    wrong = caller == null;
    if (caller == null) {
      visit = Visit.turnedAway(rules, NOBODYS);
    } else if (caller.isAnonymous()) {
      visit = new Visit(rules, caller, origin.isSafe() ? WITHOUT_LOGIN : OPEN_LINE);
    } else {
      visit = new Visit(rules, caller, FORBIDDEN);
    }
  }

  /** The caller that shows this, or nothing; null for what nobody has. */
  private @Nullable Caller caller(Access rules, @Nullable String field) {
    List<String> certificates = connection.certificateNames();
    if (field == null && certificates.isEmpty()) {
      return Caller.ANONYMOUS;
    }
    long now = dispatcher.clock().epochNanos();
    if (field == null) {
      return rules.identify(new Credentials(Optional.empty(), certificates), now).orElse(null);
    }
    byte[] shown = field.getBytes(StandardCharsets.UTF_8);
    Known last = known;
    if (last != null && last.holds(rules, shown, now)) {
      return last.caller();
    }
    Caller found = rules.identify(Authorization.read(field), now).orElse(null);
    known = found == null ? null : new Known(rules, shown, found);
    return found;
  }

  /** Why the request is not begun, or null. */
  @Nullable Refusal judge(Errand errand) {
    return visit().judge(errand);
  }

  /** Whether that has to wait, since its address has shown wrong credentials too often. */
  boolean hasToWait() {
    if (!wrong) {
      return false;
    }
    server.counters().add(HttpCount.REFUSED_LOGINS);
    return server.failures().failed(origin.key(), dispatcher.clock().monotonicNanos());
  }

  /** The refusal that the client gets. */
  Refusal instead(Refusal refusal) {
    Visit present = visit;
    return present == null ? refusal : present.instead(refusal);
  }

  /** The site as the caller of the present request may see it. */
  Site site(Site behind) {
    GuardedSite present = site;
    if (present == null) {
      present = new GuardedSite(visit(), behind, dispatcher);
      site = present;
    }
    return present;
  }

  /** Its writing half. */
  SiteChanges changes(Site behind) {
    return site(behind).changes().orElseThrow();
  }

  /** The request was answered. */
  void answered() {
    visit = null;
    site = null;
  }

  private Visit visit() {
    return Invariants.present(visit, "a request before the rules");
  }
}
