package dev.upcall.cli.serve;

import dev.upcall.Engine;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.shell.Shell;
import dev.upcall.guard.AccessFile;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpPolicy;
import java.net.InetAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The callers of a server, and what is asked of them at its door. */
final class DoorOptions {
  @Option(
      names = "--access",
      paramLabel = "FILE",
      description =
          "Answer only what the rules in FILE allow to the caller, which shows a token or a client"
              + " certificate. Default: everybody may do what the server does.")
  @Nullable Path access;

  /** Refuses what is nothing for this engine. */
  void check(Engine engine) {
    if (access != null && engine != Engine.FSM) {
      throw CommandFailure.usage(
          "--access needs --engine=fsm: a server with a thread for each connection has no rules");
    }
  }

  /** The limits with what is asked at the door; reads files, and says what is wrong with them. */
  HttpConfig in(HttpConfig limits, Shell shell) {
    HttpPolicy policy = limits.policy();
    if (access != null) {
      policy = policy.withAccess(AccessFile.read(shell.resolve(access)));
    }
    return limits.withPolicy(policy);
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

  /** What may be changed by whom, for the line that says where the server is. */
  String rights(boolean writable) {
    if (access != null) {
      return writable ? ", writable by the rules of " + access : ", by the rules of " + access;
    }
    return writable ? ", writable for whoever can connect" : "";
  }
}
