package dev.upcall.cli.practice;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Clients, on this machine, of a server that can be written to: uploads, downloads of several
 * sizes, parts, heads, conditions, listings, what is not there, and deletes, over kept connections
 * and over one for each request. Most of it is downloads of small files, as it is elsewhere. An
 * answer that is not the one that is due is a failure.
 */
public final class Practice implements AutoCloseable {
  private static final int CLIENTS = 16;

  /** Of each client's file in turn; every other one is of the size that is asked for most. */
  private static final int[] SIZES_BYTES = {8192, 100, 8192, 20_000, 8192, 1, 8192, 300_000};

  private final InetSocketAddress server;
  private final List<Client> clients = new ArrayList<>();

  private Practice(InetSocketAddress server) {
    this.server = server;
  }

  /** A round of everything, with so many downloads by each client. Leaves no file behind. */
  public static void once(InetSocketAddress server, int downloads) throws IOException {
    try (Practice practice = new Practice(server)) {
      practice.connect();
      practice.round(downloads);
    }
  }

  private void connect() throws IOException {
    while (clients.size() < CLIENTS) {
      clients.add(Client.of(server));
    }
  }

  private void round(int downloads) throws IOException {
    ask(i -> Exchange.upload(path(i), SIZES_BYTES[i % SIZES_BYTES.length]));
    List<Exchange> files = each(i -> Exchange.of("GET", path(i), 200));
    for (int i = 0; i < downloads; i++) {
      ask(files::get);
    }
    ask(Practice::look);
    for (int i = 0; i < CLIENTS; i++) {
      try (Client single = Client.of(server)) {
        single.say(Exchange.last(i % 2 == 0 ? "/" : path(i)));
        single.hearLast();
      }
    }
    ask(i -> Exchange.of("DELETE", path(i), 204));
  }

  private static Exchange look(int client) {
    return switch (client % 4) {
      case 0 -> Exchange.of("HEAD", path(client), 200);
      case 1 -> Exchange.of("GET", path(client), 206, "Range: bytes=0-0");
      case 2 -> Exchange.of("GET", path(client), 304, "If-None-Match: *");
      default -> Exchange.of("GET", "/nothing", 404);
    };
  }

  /** All clients ask, then all hear: the server finds many requests at once. */
  private void ask(IntFunction<Exchange> what) throws IOException {
    List<Exchange> exchanges = each(what);
    for (int i = 0; i < CLIENTS; i++) {
      clients.get(i).say(exchanges.get(i));
    }
    for (int i = 0; i < CLIENTS; i++) {
      clients.get(i).hear(exchanges.get(i));
    }
  }

  private static List<Exchange> each(IntFunction<Exchange> what) {
    return IntStream.range(0, CLIENTS).mapToObj(what).toList();
  }

  private static String path(int client) {
    return "/practice-" + client;
  }

  @Override
  public void close() throws IOException {
    for (Client client : clients) {
      client.close();
    }
  }
}
