package dev.upcall.httpd;

import dev.upcall.guard.Access;
import dev.upcall.httpd.log.AccessLog;
import dev.upcall.httpd.web.WebRules;
import java.util.Collections;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Which requests a server answers at all.
 *
 * @param access the rules that decide about each request; without them everybody may do what the
 *     server does
 * @param hosts names in lower case that a Host field may have, where only some are meant; empty for
 *     any. An address is always one: a name is what a stranger can let lead to this machine, and so
 *     bring a browser here
 * @param proxies whose word about their clients counts
 * @param log has a line for each response; open for as long as the server is
 * @param web gives what is told to browsers about files, for each request; from any thread
 * @param resumable how many uploads may be unfinished; without it none is resumed
 */
public record HttpPolicy(
    Optional<Access> access,
    Set<String> hosts,
    TrustedProxies proxies,
    Optional<AccessLog> log,
    Optional<Supplier<WebRules>> web,
    Optional<ResumableUploads> resumable) {
  /** Everything is answered. */
  public static final HttpPolicy OPEN =
      new HttpPolicy(
          Optional.empty(),
          Set.of(),
          TrustedProxies.NONE,
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  /** Copies the names. */
  public HttpPolicy {
    Objects.requireNonNull(access, "access");
    Objects.requireNonNull(proxies, "proxies");
    Objects.requireNonNull(log, "log");
    Objects.requireNonNull(web, "web");
    Objects.requireNonNull(resumable, "resumable");
    hosts = Collections.unmodifiableSet(new TreeSet<>(Objects.requireNonNull(hosts, "hosts")));
    for (String host : hosts) {
      if (!host.equals(host.toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException("a host in capital letters: " + host);
      }
    }
  }

  /** The same with rules. */
  public HttpPolicy withAccess(Access rules) {
    return new HttpPolicy(
        Optional.of(Objects.requireNonNull(rules, "rules")), hosts, proxies, log, web, resumable);
  }

  /** The same for some hosts only. */
  public HttpPolicy withHosts(Set<String> names) {
    return new HttpPolicy(
        access, Objects.requireNonNull(names, "names"), proxies, log, web, resumable);
  }

  /** The same behind proxies. */
  public HttpPolicy withProxies(TrustedProxies trusted) {
    return new HttpPolicy(
        access, hosts, Objects.requireNonNull(trusted, "trusted"), log, web, resumable);
  }

  /** The same with an access log, which stays its caller's. */
  public HttpPolicy withLog(AccessLog lines) {
    return new HttpPolicy(
        access,
        hosts,
        proxies,
        Optional.of(Objects.requireNonNull(lines, "lines")),
        web,
        resumable);
  }

  /**
   * The same with what browsers are told.
   *
   * @param rules those that are in force, at any time and from any thread
   */
  public HttpPolicy withWeb(Supplier<WebRules> rules) {
    return new HttpPolicy(
        access,
        hosts,
        proxies,
        log,
        Optional.of(Objects.requireNonNull(rules, "rules")),
        resumable);
  }

  /** The same with uploads that may be resumed, where files may be put at all. */
  public HttpPolicy withResumable(ResumableUploads uploads) {
    return new HttpPolicy(
        access, hosts, proxies, log, web, Optional.of(Objects.requireNonNull(uploads, "uploads")));
  }

  /** Whether a server has to know where each connection comes from. */
  public boolean asksForClients() {
    return access.isPresent() || log.isPresent() || !proxies.networks().isEmpty();
  }
}
