package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Cores;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.host.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A server that the launcher starts, which says of itself where it is in {@code upcall.launcher};
 * where no launcher has started this process (in tests), Java itself, and then there is no cache.
 *
 * @param store what it serves, in a copy of its own
 * @param cached whether Java may take the launcher's cache
 */
public record Launched(Path store, boolean cached) {
  private static final String LAUNCHER = "upcall.launcher";

  /** Starts it, and returns at the moment in which it says that it listens. */
  public Server.Live open(Lab lab) throws IOException, InterruptedException {
    Path copy = Files.createTempDirectory(lab.scratch(), "store-").resolve("site.upcall");
    Files.copy(store, copy);
    List<String> arguments = List.of("serve", "--json", "--port=0", "--store=" + copy);
    String launcher = System.getProperty(LAUNCHER);
    List<String> command =
        launcher == null ? lab.java("dev.upcall.cli.Main", arguments) : by(launcher, arguments);
    Child child = lab.start("upcall serve", lab.cores().pin(Cores.SERVER, command));
    return Server.live(lab, child, "{", Server::portIn);
  }

  private List<String> by(String launcher, List<String> arguments) {
    // With any flag of the user's the launcher takes no cache.
    String flags = cached ? "" : "-XX:AOTMode=off";
    List<String> command = new ArrayList<>(List.of("env", "UPCALL_JAVA_OPTS=" + flags, launcher));
    command.addAll(arguments);
    return command;
  }
}
