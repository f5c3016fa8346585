package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A child process that does one kind of job. It says {@code ready} once it is; for each line {@code
 * run millis=N} it runs and answers {@code ran units=... nanos=... mean=... p50=... p99=...
 * p999=... longest=...} (latencies in microseconds); when its input ends it ends too.
 */
public final class Worker {
  private Worker() {}

  /** A job, opened; its methods are called on the main thread. */
  interface Job extends AutoCloseable {
    /** What the caller must know to use it, in the form of {@link Fields}; may be empty. */
    default String greeting() {
      return "";
    }

    /**
     * More of the last run, each unit on average, in the form of {@link Fields}; may be empty. It
     * is shown as it is.
     */
    default String remarks() {
      return "";
    }

    /**
     * Does what an order says: {@code millis}, and what else this kind of job knows. A job that is
     * done when it is ready takes none.
     */
    default Tally run(Fields order) throws IOException, InterruptedException {
      throw new IllegalStateException("no orders are taken: " + order.values());
    }

    @Override
    void close() throws IOException;
  }

  /** A job whose orders say nothing but how long. */
  interface TimedJob extends Job {
    /** Does it for a time. */
    Tally run(long nanos) throws IOException, InterruptedException;

    @Override
    default Tally run(Fields order) throws IOException, InterruptedException {
      return run(order.number("millis") * 1_000_000);
    }
  }

  /** One that can also be ordered to do a number of units: {@code run units=N}. */
  interface CountedJob extends TimedJob {
    /** Does that many, or as many more as are outstanding at once. */
    Tally runUnits(long units) throws IOException, InterruptedException;

    @Override
    default Tally run(Fields order) throws IOException, InterruptedException {
      return order.values().containsKey("units")
          ? runUnits(order.number("units"))
          : TimedJob.super.run(order);
    }
  }

  /** The command line of a worker. */
  public static List<String> command(Lab lab, String kind, Map<String, ?> options) {
    return command(lab, List.of(), kind, options);
  }

  /** The same with more flags for its JVM. */
  public static List<String> command(
      Lab lab, List<String> flags, String kind, Map<String, ?> options) {
    List<String> arguments = new ArrayList<>(List.of(kind));
    options.forEach((key, value) -> arguments.add(key + "=" + value));
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
        Tally tally = job.run(Fields.parse(line));
        out.println("ran " + tally.describe() + " " + job.remarks());
      }
    }
    System.exit(0);
  }

  private static Job open(Fields options) throws IOException, InterruptedException {
    return switch (options.word()) {
      case "read" -> new ReadJob(options);
      case "seam-read" -> new SeamReadJob(options);
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
      case "cycles" -> new CycleJob(options);
      case "web-load" -> new WebLoadJob(options);
      case "stages" -> new StagesJob(options);
      case "serve-set" -> new SetServerJob(options);
      default -> throw new IllegalArgumentException("no such job: " + options.word());
    };
  }
}
