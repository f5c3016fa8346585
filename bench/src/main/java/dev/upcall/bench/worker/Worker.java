package dev.upcall.bench.worker;

import dev.upcall.bench.ageing.AgeingJob;
import dev.upcall.bench.composition.CompositionJob;
import dev.upcall.bench.composition.CycleJob;
import dev.upcall.bench.ecommerce.volume.VolumeJob;
import dev.upcall.bench.edits.EditsJob;
import dev.upcall.bench.harness.Course;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.provider.ProviderJob;
import dev.upcall.bench.proxy.device.DeviceJob;
import dev.upcall.bench.securefile.ObjectsJob;
import dev.upcall.bench.table.NamesJob;
import dev.upcall.bench.table.TablesJob;
import dev.upcall.bench.tpcc.TpccJob;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A child process that does one kind of job. It says {@code ready} once it is; for each line {@code
 * run millis=N} it runs and answers {@code ran units=... nanos=... mean=... p50=... p99=...
 * p999=... longest=...} (latencies in microseconds), and when the order says {@code peaks=MILLIS},
 * {@code peaks=...} besides, the longest of each so many milliseconds ({@link
 * dev.upcall.bench.harness.Timeline}), and {@code each=...}, the units of each second; when its
 * input ends it ends too.
 */
public final class Worker {
  private Worker() {}

  /** The command line of a worker. */
  public static List<String> command(Lab lab, String kind, Map<String, ?> options) {
    return command(lab, List.of(), kind, options);
  }

  /** The same with more flags for its JVM. */
  public static List<String> command(
      Lab lab, List<String> flags, String kind, Map<String, ?> options) {
    List<String> arguments = new ArrayList<>(List.of(kind));
    Map<String, Object> all = new LinkedHashMap<>(lab.settings().device().workerOptions());
    all.putAll(options);
    all.forEach((key, value) -> arguments.add(key + "=" + value));
    return lab.java(flags, Worker.class.getName(), arguments);
  }

  /** Runs the job that the first argument names. */
  public static void main(String[] args) throws IOException, InterruptedException {
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Fields options = Fields.parse(String.join(" ", args));
    try (Job job = open(options)) {
      out.println("ready " + job.greeting());
      for (String line = orders.readLine(); line != null; line = orders.readLine()) {
        Fields order = Fields.parse(line);
        Tally tally = job.run(order);
        out.println("ran " + tally.describe() + course(order, tally) + " " + tally.remarks());
      }
    }
    System.exit(0);
  }

  private static String course(Fields order, Tally tally) {
    return order.values().containsKey("peaks")
        ? " " + new Course(tally.ofEachSecond(), tally.peaks((int) order.number("peaks"))).text()
        : "";
  }

  private static Job open(Fields options) throws IOException, InterruptedException {
    return switch (options.word()) {
      case "read" -> new ReadJob(options);
      case "seam-read" -> new SeamReadJob(options);
      case "seam-commit" -> new SeamCommitJob(options);
      case "serve-memory" -> new MemoryServerJob(options);
      case "sequential-write" -> new SequentialWriteJob(options);
      case "sequential-read" -> new SequentialReadJob(options);
      case "idle" -> new IdleJob(options);
      case "create" -> new CreateJob(options);
      case "queue" -> new QueueJob(options);
      case "plain-create" -> new PlainCreateJob(options);
      case "peer-create" -> new PeerCreateJob(options);
      case "load" -> new LoadJob(options);
      case "fill-log" -> new FillLogJob(options);
      case "open" -> new OpenJob(options);
      case "checkpoint" -> new CheckpointJob(options);
      case "composition" -> new CompositionJob(options);
      case "carriers" -> new CarrierJob(options);
      case "plain-read" -> new PlainReadJob(options);
      case "memory-read" -> new MemoryReadJob(options);
      case "peer-read" -> new PeerReadJob(options);
      case "calls" -> new CallsJob(options);
      case "provider" -> new ProviderJob(options);
      case "age" -> new AgeingJob(options);
      case "cycles" -> new CycleJob(options);
      case "web-load" -> new WebLoadJob(options);
      case "proxy-layouts" -> new DeviceJob(options);
      case "securefiles" -> new ObjectsJob(options);
      case "ecommerce-volume" -> new VolumeJob(options);
      case "edits" -> new EditsJob(options);
      case "tables" -> new TablesJob(options);
      case "tpcc" -> new TpccJob(options);
      case "names" -> new NamesJob(options);
      case "stages" -> new StagesJob(options);
      case "serve-set" -> new SetServerJob(options);
      default -> throw new IllegalArgumentException("no such job: " + options.word());
    };
  }
}
