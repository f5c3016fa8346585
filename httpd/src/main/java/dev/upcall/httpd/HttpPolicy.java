package dev.upcall.httpd;

import dev.upcall.guard.Access;
import java.util.Collections;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which requests a server answers at all.
 *
 * @param access the rules that decide about each request; without them everybody may do what the
 *     server does
 * @param hosts names in lower case that a Host field may have, where only some are meant; empty for
 *     any. An address is always one: a name is what a stranger can let lead to this machine, and so
 *     bring a browser here
 */
public record HttpPolicy(Optional<Access> access, Set<String> hosts) {
  /** Everything is answered. */
  public static final HttpPolicy OPEN = new HttpPolicy(Optional.empty(), Set.of());

  /** Copies the names. */
  public HttpPolicy {
    Objects.requireNonNull(access, "access");
    hosts = Collections.unmodifiableSet(new TreeSet<>(Objects.requireNonNull(hosts, "hosts")));
    for (String host : hosts) {
      if (!host.equals(host.toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException("a host in capital letters: " + host);
      }
    }
  }

  /** The same with rules. */
  public HttpPolicy withAccess(Access rules) {
    return new HttpPolicy(Optional.of(Objects.requireNonNull(rules, "rules")), hosts);
  }

  /** The same for some hosts only. */
  public HttpPolicy withHosts(Set<String> names) {
    return new HttpPolicy(access, Objects.requireNonNull(names, "names"));
  }
}
