package dev.upcall.cli.option;

import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether and where metrics and health can be asked for. */
public final class AdminOptions {
  @Option(
      names = "--admin-port",
      paramLabel = "N",
      description =
          "Answer /metrics (for Prometheus), /healthz and /readyz on a port of their own; 0 takes a"
              + " free one. Default: nowhere.")
  public @Nullable Integer adminPort;

  @Option(
      names = "--admin-bind",
      paramLabel = "ADDR",
      description = "Address of the admin port. Default: 127.0.0.1, this machine only.")
  public String adminBind = "127.0.0.1";

  @Option(
      names = "--admin-host",
      paramLabel = "NAME",
      split = ",",
      description =
          "Names besides localhost by which the admin port may be asked; addresses always may."
              + " Any other name in a Host field is refused, so that no page of a stranger can ask"
              + " through a browser.")
  public List<String> adminHosts = List.of();

  /** Names by which it may be asked. */
  public Set<String> hosts() {
    Set<String> hosts = new HashSet<>(Set.of("localhost"));
    adminHosts.forEach(host -> hosts.add(host.toLowerCase(Locale.ROOT)));
    return hosts;
  }

  /** Where to listen, or null for nowhere. */
  public @Nullable InetSocketAddress address() {
    Integer port = adminPort;
    return port == null ? null : ListenAddress.of(port, adminBind, ListenAddress.ADMIN_OPTIONS);
  }
}
