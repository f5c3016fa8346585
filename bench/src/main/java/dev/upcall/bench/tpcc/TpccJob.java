package dev.upcall.bench.tpcc;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Terminals that ask for one transaction after the other; units are transactions of all kinds, and
 * the remarks say how many of them were new orders. The tables are filled first, unless they are.
 * Options: {@code store}, {@code directory} (made, and left), {@code memory} (bytes of the cache),
 * {@code warehouses}, {@code customers}, {@code items}, {@code terminals}, {@code seed}, and {@code
 * acks}, a file to which a line is added for each new order and payment that is durable; missing
 * where nobody asks.
 */
public final class TpccJob implements Job.Timed {
  private final Database database;
  private final OutputStream acks;
  private final ThreadedLoop threads;
  private final List<Terminal> terminals = new ArrayList<>();

  /** Opens the database, and fills it. */
  public TpccJob(Fields options) throws IOException {
    Path directory = Path.of(options.text("directory"));
    Scale scale = scale(options);
    acks =
        options.values().containsKey("acks")
            ? Files.newOutputStream(
                Path.of(options.text("acks")), StandardOpenOption.CREATE, StandardOpenOption.APPEND)
            : OutputStream.nullOutputStream();
    database = Database.open(options.text("store"), directory, options.number("memory"));
    Path mark = directory.resolve("loaded");
    if (!Files.exists(mark)) {
      new Population(database, scale).load();
      Files.createFile(mark);
    }
    int count = (int) options.number("terminals");
    threads = ThreadedLoop.platform(count);
    for (int number = 0; number < count; number++) {
      long seed = options.number("seed") * count + number;
      terminals.add(new Terminal(database, scale, number, seed, new Told()));
    }
  }

  static Scale scale(Fields options) {
    return new Scale(
        (int) options.number("warehouses"),
        (int) options.number("customers"),
        (int) options.number("items"));
  }

  /** One write for each line, so that a kill does not cut one. */
  private final class Told implements Terminal.Acks {
    @Override
    public void ordered(int warehouse, int district, int order) throws IOException {
      say("order %d %d %d%n".formatted(warehouse, district, order));
    }

    @Override
    public void paid() throws IOException {
      say("paid\n");
    }

    private void say(String line) throws IOException {
      acks.write(line.getBytes(StandardCharsets.US_ASCII));
    }
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    long before = newOrders();
    Tally tally = threads.run(nanos, thread -> terminals.get(thread)::step);
    return tally.remark(
        "new-orders=%.3f", (newOrders() - before) / (double) Math.max(1, tally.units()));
  }

  private long newOrders() {
    return terminals.stream().mapToLong(Terminal::newOrders).sum();
  }

  @Override
  public void close() throws IOException {
    threads.close();
    database.close();
    acks.close();
  }
}
