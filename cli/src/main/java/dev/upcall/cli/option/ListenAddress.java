package dev.upcall.cli.option;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Where a server is told to listen. */
public final class ListenAddress {
  private static final int MAX_PORT = 65_535;

  /** How the options of the server of files begin. */
  public static final String OPTIONS = "--";

  /** How the options of the admin port begin. */
  public static final String ADMIN_OPTIONS = "--admin-";

  private ListenAddress() {}

  /**
   * An address from two options.
   *
   * @param option what their names begin with: {@link #OPTIONS} or {@link #ADMIN_OPTIONS}
   */
  public static InetSocketAddress of(int port, String bind, String option) {
    if (port < 0 || port > MAX_PORT) {
      throw CommandFailure.usage(option + "port is 0 to " + MAX_PORT + ", not " + port);
    }
    try {
      return new InetSocketAddress(InetAddress.getByName(bind), port);
    } catch (UnknownHostException unknown) {
      throw CommandFailure.usage(option + "bind " + bind + " is no address of this machine");
    }
  }
}
