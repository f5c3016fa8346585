package dev.upcall.specweb.client;

import dev.upcall.specweb.FileSet;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server of a file set on real sockets, a thread for each connection, that may misbehave. */
public final class StubServer implements AutoCloseable {
  private static final Pattern PATH = Pattern.compile("GET \\S*/dir(\\d{5})/class(\\d)_(\\d) .*");

  private final ServerSocket listening;
  private final Manners manners;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  /** How a response is given. */
  @FunctionalInterface
  public interface Manners {
    /**
     * Answers.
     *
     * @return whether the connection goes on
     */
    boolean answer(Request request, OutputStream out) throws IOException;
  }

  /**
   * A request.
   *
   * @param head all lines of it
   * @param entry what it asks for
   */
  public record Request(String head, FileSet.Entry entry) {
    /** Whether the client wants the connection to go on. */
    public boolean keepsAlive() {
      return head.contains(" HTTP/1.1\r\n") && !head.contains("Connection: close");
    }
  }

  /** A server that answers rightly. */
  public StubServer() {
    this(StubServer::wellMannered);
  }

  /** A server with manners of its own. */
  public StubServer(Manners manners) {
    this.manners = manners;
    try {
      listening = new ServerSocket(0, 1_024, InetAddress.getByName("127.0.0.1"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  /** The right answer. */
  public static boolean wellMannered(Request request, OutputStream out) throws IOException {
    out.write(response(request, request.entry().sizeBytes()));
    out.flush();
    return request.keepsAlive();
  }

  /** The right answer, with another length said. */
  public static byte[] response(Request request, int length) {
    byte[] head =
        """
        HTTP/1.1 200 OK\r
        Server: stub\r
        Content-Length: %d\r
        Connection: %s\r
        \r
        """
            .formatted(length, request.keepsAlive() ? "keep-alive" : "close")
            .getBytes(StandardCharsets.US_ASCII);
    byte[] body = request.entry().content();
    byte[] all = java.util.Arrays.copyOf(head, head.length + body.length);
    System.arraycopy(body, 0, all, head.length, body.length);
    return all;
  }

  /** Where it listens. */
  public int port() {
    return listening.getLocalPort();
  }

  /** The URL below which the set is. */
  public String url() {
    return "http://127.0.0.1:" + port() + "/";
  }

  /** The heads of all requests so far. */
  public List<String> requests() {
    return requests;
  }

  /** How many connections there were. */
  public int connections() {
    return sockets.size();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listening.accept();
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (SocketException closed) {
      requests.add("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      boolean goesOn = true;
      while (goesOn) {
        StringBuilder head = new StringBuilder();
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
          head.append(line).append("\r\n");
        }
        if (head.isEmpty()) {
          return;
        }
        requests.add(head.toString());
        goesOn = manners.answer(parse(head.toString()), socket.getOutputStream());
      }
    } catch (IOException gone) {
      // The client has left: what it says of that is the test's.
    }
  }

  private static Request parse(String head) {
    Matcher path = PATH.matcher(head.lines().findFirst().orElse(""));
    if (!path.matches()) {
      throw new IllegalArgumentException("not a request for a file of the set: " + head);
    }
    return new Request(
        head,
        new FileSet.Entry(
            Integer.parseInt(path.group(1)),
            Integer.parseInt(path.group(2)),
            Integer.parseInt(path.group(3))));
  }

  @Override
  public void close() {
    try {
      listening.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
