package dev.upcall.cli.option;

import java.net.InetSocketAddress;
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

  /** Where to listen, or null for nowhere. */
  public @Nullable InetSocketAddress address() {
    Integer port = adminPort;
    return port == null ? null : ListenAddress.of(port, adminBind, ListenAddress.ADMIN_OPTIONS);
  }
}
