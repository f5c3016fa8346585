package dev.upcall.bench.worker;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.workload.StoreCounts;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.blocking.BlockingServer;
import dev.upcall.httpd.server.HttpService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * The web server over a volume with a file set, as {@code upcall serve} has it for each engine.
 * Options: {@code volume}, {@code directories}, {@code memory}, {@code engine}, {@code inside} (the
 * most requests inside the store; 0 for no limit, as with threads). Its load comes from outside; an
 * order asks what was counted since the order before, during which {@code units} requests took
 * {@code response-nanos} together.
 */
final class SetServerJob implements Job {
  private final Upcall store;
  private final InetSocketAddress address;
  private final AutoCloseable server;
  private StoreCounts before;

  SetServerJob(Fields options) throws IOException {
    Engine engine = Engine.valueOf(options.text("engine"));
    store =
        Upcall.open(
            Path.of(options.text("volume")),
            new DeviceChoice(options)
                .in(
                    UpcallConfig.DEFAULT
                        .withMemoryBytes(options.number("memory"))
                        .withEngine(engine)));
    new dev.upcall.specweb.FileSet((int) options.number("directories"))
        .entries()
        .forEach(entry -> store.readAllBytes("/" + entry.path()));
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    if (engine == Engine.FSM) {
      HttpConfig.Admission admission = HttpConfig.Admission.of((int) options.number("inside"));
      HttpService machines =
          HttpService.start(store.fsm(), HttpConfig.defaults().withAdmission(admission), any);
      server = machines;
      address = machines.address();
    } else {
      BlockingServer threads = BlockingServer.start(store, HttpConfig.defaults(), any);
      server = threads;
      address = threads.address();
    }
    before = StoreCounts.of(store);
  }

  @Override
  public String greeting() {
    return "port=" + address.getPort();
  }

  @Override
  public Tally run(Fields order) throws IOException {
    StoreCounts now = StoreCounts.of(store);
    String counted =
        now.since(before).describe(order.number("units"), order.decimal("response-nanos"));
    before = now;
    return new Tally().remark(counted);
  }

  @Override
  public void close() throws IOException {
    try {
      server.close();
    } catch (IOException | RuntimeException failed) {
      throw failed;
    } catch (Exception failed) {
      throw new IOException("closing the server", failed);
    } finally {
      store.close();
    }
  }
}
