package dev.upcall.cli.serve;

import dev.upcall.Engine;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.shell.Shell;
import dev.upcall.guard.AccessFile;
import dev.upcall.guard.AccessRules;
import dev.upcall.guard.ReplaceableAccess;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpPolicy;
import dev.upcall.httpd.TrustedProxies;
import dev.upcall.httpd.log.AccessLog;
import dev.upcall.httpd.server.ServerTls;
import dev.upcall.httpd.web.WebRules;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The callers of a server, and what is asked of them at its door. */
final class DoorOptions implements AutoCloseable {
  @Option(
      names = "--access",
      paramLabel = "FILE",
      description =
          "Answer only what the rules in FILE allow to the caller, which shows a token or a client"
              + " certificate. Default: everybody may do what the server does.")
  @Nullable Path access;

  @Option(
      names = "--access-log",
      paramLabel = "FILE",
      description =
          "Append a line for each response to FILE, which may be renamed meanwhile. Default: none.")
  @Nullable Path log;

  @Option(
      names = "--access-log-format",
      paramLabel = "NAME",
      description = "combined, as Apache and nginx write it, or json. Default: combined.")
  String logFormat = "combined";

  @Option(
      names = "--trust-proxy",
      paramLabel = "CIDR",
      split = ",",
      description =
          "Addresses of proxies, such as 10.0.0.0/8, whose X-Forwarded-For or Forwarded says which"
              + " client they ask for: for the log and for limits by address. Default: none.")
  List<String> proxies = List.of();

  @Option(
      names = "--web",
      paramLabel = "FILE",
      description =
          "Tell browsers what the lines in FILE say: response fields by path, other origins, charset"
              + " of text, and compressed neighbours. Default: none of it.")
  @Nullable Path web;

  private final AtomicReference<WebRules> told = new AtomicReference<>();
  private @Nullable ReplaceableAccess rules;
  private @Nullable AccessLog opened;

  /** Refuses what is nothing for this engine. */
  void check(Engine engine) {
    if (access != null && engine != Engine.FSM) {
      throw CommandFailure.usage(
          "--access needs --engine=fsm: a server with a thread for each connection has no rules");
    }
    if (engine != Engine.FSM) {
      checkThreads();
    }
    if (log == null && !logFormat.equals("combined")) {
      throw CommandFailure.usage("--access-log-format goes with --access-log");
    }
  }

  private void checkThreads() {
    if (log != null || !proxies.isEmpty()) {
      throw CommandFailure.usage(
          "--access-log and --trust-proxy need --engine=fsm: a server with a thread for each"
              + " connection has neither");
    }
  }

  private AccessLog.Format format() {
    return switch (logFormat) {
      case "combined" -> AccessLog.Format.COMBINED;
      case "json" -> AccessLog.Format.JSON;
      default ->
          throw CommandFailure.usage("--access-log-format is combined or json, not " + logFormat);
    };
  }

  /** The limits with what is asked at the door; reads files, and says what is wrong with them. */
  HttpConfig in(HttpConfig limits, Shell shell) {
    HttpPolicy policy = limits.policy();
    if (access != null) {
      rules = new ReplaceableAccess(AccessFile.read(shell.resolve(access)));
      policy = policy.withAccess(rules);
    }
    if (web != null) {
      told.set(WebRules.read(shell.resolve(web)));
      policy = policy.withWeb(told::get);
    }
    try {
      policy = policy.withProxies(TrustedProxies.parse(proxies));
    } catch (IllegalArgumentException none) {
      throw CommandFailure.usage("--trust-proxy: " + none.getMessage());
    }
    AccessLog.Format format = format();
    if (log != null) {
      opened = AccessLog.open(shell.resolve(log), format);
      policy = policy.withLog(opened);
    }
    return limits.withPolicy(policy);
  }

  /**
   * Reads certificate, key and the files of rules again, and puts them in force; all or none.
   *
   * @return a sentence about each
   */
  List<String> reload(Optional<ServerTls> tls, Shell shell) {
    List<String> read = new ArrayList<>();
    AccessRules others = access == null ? null : AccessFile.read(shell.resolve(access));
    WebRules otherwise = web == null ? null : WebRules.read(shell.resolve(web));
    if (tls.isPresent()) {
      tls.get().reload();
      read.add(tls.get().describe());
    }
    if (rules != null && others != null) {
      rules.replace(others);
      read.add("rules of " + access);
    }
    if (otherwise != null) {
      told.set(otherwise);
      read.add("lines of " + web);
    }
    return read;
  }

  /** Writes the rest of the log, behind the server. */
  @Override
  public void close() {
    if (opened != null) {
      opened.close();
    }
  }

  /**
   * Says what its user has to know before clients come.
   *
   * @param bound where the server listens
   * @param tls whether it speaks TLS
   */
  void announce(InetAddress bound, boolean tls, Shell shell) {
    if (access != null && !tls && !bound.isLoopbackAddress()) {
      shell.say(
          "without TLS tokens are taken from this machine only; from others come requests that need"
              + " none");
    }
  }

  /** The callers that may change something, for the line that says where the server is. */
  String rights(boolean writable) {
    if (access != null) {
      return writable ? ", writable by the rules of " + access : ", by the rules of " + access;
    }
    return writable ? ", writable for whoever can connect" : "";
  }
}
