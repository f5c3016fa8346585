package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.workload.LoopThread;
import dev.upcall.bench.workload.MemorySite;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.server.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** The ceiling of the HTTP server: a {@link MemorySite} behind it. Option: {@code folder}. */
final class MemoryServerJob implements Job {
  private final LoopThread loop = new LoopThread();
  private final HttpServer server;

  MemoryServerJob(Fields options) throws IOException {
    MemorySite site = new MemorySite(loop.dispatcher(), Path.of(options.text("folder")));
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    // All load comes from one address.
    HttpConfig config =
        HttpConfig.defaults().withMaxConnectionsOfAddress(HttpConfig.Connections.DEFAULT.max());
    server =
        loop.<HttpServer>await(
            port ->
                HttpServer.open(config, loop.dispatcher(), loop.reactor(), site, address, port));
  }

  @Override
  public String greeting() {
    try {
      InetSocketAddress address =
          loop.<InetSocketAddress>await(
              port -> loop.dispatcher().complete(port, Completion.done(server.address())));
      return "port=" + address.getPort();
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public void close() throws IOException {
    loop.<Unit>await(server::close);
    loop.close();
  }
}
