package dev.upcall.bench.peer;

import dev.upcall.bench.host.MissingPeerException;
import dev.upcall.bench.host.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * PostgreSQL's programs on this machine, and the account that runs them: this process's own, or
 * another one where that is root's, as which they refuse to run.
 *
 * @param initdb makes a cluster
 * @param server serves one
 * @param account who runs both, where it is somebody else
 */
record PostgresPrograms(String initdb, String server, Optional<Account> account) {
  private static final String DEBIAN_PACKAGE = "postgresql";
  private static final Path DEBIAN_VERSIONS = Path.of("/usr/lib/postgresql");
  private static final List<String> ACCOUNTS = List.of("postgres", "nobody");
  private static final int PASSWD_ID = 2;
  private static final int PASSWD_GROUP = 3;

  /** A user of this machine. */
  record Account(String name, int id, int group) {}

  /**
   * Finds them, on the path or where Debian has them, the newest version.
   *
   * @throws MissingPeerException when they, or somebody to run them, are not here
   */
  static PostgresPrograms find() throws IOException {
    List<String> folders = debianFolders();
    return new PostgresPrograms(
        Programs.require("initdb", DEBIAN_PACKAGE, folders),
        Programs.require("postgres", DEBIAN_PACKAGE, folders),
        isRoot() ? Optional.of(somebodyElse()) : Optional.empty());
  }

  private static List<String> debianFolders() throws IOException {
    if (!Files.isDirectory(DEBIAN_VERSIONS)) {
      return List.of();
    }
    try (Stream<Path> versions = Files.list(DEBIAN_VERSIONS)) {
      return versions
          .filter(version -> version.getFileName().toString().matches("\\d+(\\.\\d+)?"))
          .sorted(Comparator.comparingDouble(PostgresPrograms::number).reversed())
          .map(version -> version.resolve("bin").toString())
          .toList();
    }
  }

  private static double number(Path version) {
    return Double.parseDouble(version.getFileName().toString());
  }

  private static boolean isRoot() throws IOException {
    return id(Path.of("/proc/self")) == 0;
  }

  private static int id(Path owned) throws IOException {
    return (int) Files.getAttribute(owned, "unix:uid");
  }

  private static Account somebodyElse() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("/etc/passwd"));
    for (String name : ACCOUNTS) {
      for (String line : lines) {
        String[] fields = line.split(":", -1);
        if (fields[0].equals(name)) {
          return new Account(
              name, Integer.parseInt(fields[PASSWD_ID]), Integer.parseInt(fields[PASSWD_GROUP]));
        }
      }
    }
    throw new MissingPeerException(
        "PostgreSQL does not run as root, and there is no user " + String.join(" or ", ACCOUNTS));
  }

  /**
   * Looks whether who runs them gets to a directory.
   *
   * @throws MissingPeerException when not
   */
  void checkWayTo(Path directory) throws IOException {
    if (account.isEmpty()) {
      return;
    }
    for (Path on = directory.toRealPath(); on != null; on = on.getParent()) {
      boolean isOpen =
          Files.getPosixFilePermissions(on).contains(PosixFilePermission.OTHERS_EXECUTE);
      if (!isOpen && id(on) != account.get().id()) {
        throw new MissingPeerException(
            "PostgreSQL does not run as root, and user %s may not pass %s; try another --dir"
                .formatted(account.get().name(), on));
      }
    }
  }

  /** Makes a file or a directory that of who runs them. */
  void give(Path path) throws IOException {
    if (account.isPresent()) {
      Files.setAttribute(path, "unix:gid", account.get().group());
      Files.setAttribute(path, "unix:uid", account.get().id());
    }
  }

  /** The command line that has one of them run; its process is the program's own. */
  List<String> command(String program, List<String> arguments) {
    List<String> command = new ArrayList<>();
    account.ifPresent(
        other ->
            command.addAll(
                List.of(
                    Programs.require("setpriv", "util-linux"),
                    "--reuid=" + other.id(),
                    "--regid=" + other.group(),
                    "--clear-groups",
                    "--")));
    command.add(program);
    command.addAll(arguments);
    return command;
  }
}
