package dev.upcall.bench.job;

import dev.upcall.bench.harness.Fields;
import java.io.IOException;

/** What a worker does when it is told, opened; its methods are called on the main thread. */
public interface Job extends AutoCloseable {
  /** What the caller must know to use it, in the form of {@link Fields}; may be empty. */
  default String greeting() {
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

  /** A job whose orders say nothing but how long. */
  interface Timed extends Job {
    /** Does it for a time. */
    Tally run(long nanos) throws IOException, InterruptedException;

    @Override
    default Tally run(Fields order) throws IOException, InterruptedException {
      return run(order.number("millis") * 1_000_000);
    }
  }

  /** One that can also be ordered to do a number of units: {@code run units=N}. */
  interface Counted extends Timed {
    /** Does that many, or as many more as are outstanding at once. */
    Tally runUnits(long units) throws IOException, InterruptedException;

    @Override
    default Tally run(Fields order) throws IOException, InterruptedException {
      return order.values().containsKey("units")
          ? runUnits(order.number("units"))
          : Timed.super.run(order);
    }
  }
}
