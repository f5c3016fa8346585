package dev.upcall.cli.remote;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.LinkedHashSet;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;

/** The socket's file beside a volume, and who may be at its other end. */
public final class CommandSocket {
  private static final String SUFFIX = ".sock";
  private static final String UNFINISHED = ".new";
  private static final String NAME_WHILE_UNFINISHED = "s";

  /** What fits into the address of a socket, as far as the JDK uses it. */
  private static final int MAX_PATH_BYTES = 106;

  private CommandSocket() {}

  /** Where the socket of a volume is. */
  public static Path of(Path volume) {
    return volume.resolveSibling(volume.getFileName() + SUFFIX);
  }

  /** The directory in which it is made. */
  static Path unfinished(Path volume) {
    return volume.resolveSibling(volume.getFileName() + SUFFIX + UNFINISHED);
  }

  /** Which file has this name: its device and number there. */
  public static String key(Path path) throws IOException {
    return String.valueOf(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
  }

  /**
   * Makes it, for the owner of the volume, which may take the place of what a killed owner has
   * left. It is made in a directory that only its owner can enter and moved when its mode is 600:
   * nobody else can open it at any moment.
   *
   * @throws IOException also when the path does not fit into a socket's address
   */
  static ServerSocketChannel bind(Path volume) throws IOException {
    Path directory = unfinished(volume);
    Path made = directory.resolve(NAME_WHILE_UNFINISHED);
    if (made.toString().getBytes(StandardCharsets.UTF_8).length > MAX_PATH_BYTES) {
      throw new IOException(
          "the path of a socket has at most %d bytes, and %s has more"
              .formatted(MAX_PATH_BYTES, made));
    }
    Files.deleteIfExists(made);
    Files.deleteIfExists(directory);
    Files.createDirectory(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(made));
      Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
      Files.move(
          made, of(volume), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return server;
    } catch (IOException failed) {
      server.close();
      Files.deleteIfExists(made);
      throw failed;
    } finally {
      Files.delete(directory);
    }
  }

  /** Who is at the other end. */
  static UserPrincipal peer(SocketChannel channel) throws IOException {
    return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
  }

  /** This process's user, and root, who may do all it may. */
  static Set<UserPrincipal> ourselves() throws IOException {
    Path us = Path.of("/proc/self");
    Set<UserPrincipal> users = new LinkedHashSet<>();
    users.add(Files.getOwner(us));
    try {
      users.add(us.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("root"));
    } catch (UserPrincipalNotFoundException nobody) {
      // Where root has no name, only this process's user is trusted.
    }
    return users;
  }
}
