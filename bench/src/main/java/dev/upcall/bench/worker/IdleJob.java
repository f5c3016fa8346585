package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Job;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Connections that have made one request each and are kept. They are reset at the end, so that no
 * port waits. Options: {@code port}, {@code path}, {@code count}.
 */
final class IdleJob implements Job {
  private static final Pattern LENGTH = Pattern.compile("(?i)\\r\\ncontent-length: *(\\d+)");
  private static final int BUFFER_BYTES = 64 << 10;

  private final List<SocketChannel> connections = new ArrayList<>();
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

  IdleJob(Fields options) throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), (int) options.number("port"));
    byte[] request =
        "GET %s HTTP/1.1\r\nHost: bench\r\n\r\n"
            .formatted(options.text("path"))
            .getBytes(StandardCharsets.US_ASCII);
    for (long i = options.number("count"); i > 0; i--) {
      SocketChannel connection = SocketChannel.open(address);
      connections.add(connection);
      connection.setOption(StandardSocketOptions.SO_LINGER, 0);
      connection.write(ByteBuffer.wrap(request));
      readResponse(connection);
    }
  }

  private void readResponse(SocketChannel connection) throws IOException {
    buffer.clear();
    int wanted = Integer.MAX_VALUE;
    while (buffer.position() < wanted) {
      if (connection.read(buffer) < 0) {
        throw new IOException("the server closed connection " + connections.size());
      }
      String text = new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII);
      int head = text.indexOf("\r\n\r\n");
      Matcher length = LENGTH.matcher(text);
      if (head >= 0 && length.find()) {
        wanted = head + "\r\n\r\n".length() + Integer.parseInt(length.group(1));
      }
    }
  }

  @Override
  public String greeting() {
    return "connections=" + connections.size();
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel connection : connections) {
      connection.close();
    }
  }
}
