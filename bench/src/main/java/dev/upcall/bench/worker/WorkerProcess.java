package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.host.Child;
import java.io.IOException;
import java.util.List;

/** A {@link Worker} as who started it sees it: it is ready, does what it is told, and is ended. */
public final class WorkerProcess implements AutoCloseable {
  private final Lab lab;
  private final Child child;
  private final Fields greeting;

  private WorkerProcess(Lab lab, Child child, Fields greeting) {
    this.lab = lab;
    this.child = child;
    this.greeting = greeting;
  }

  /**
   * Starts one and waits until it is ready.
   *
   * @param name for messages
   * @param command of {@link Worker#command}, pinned or not
   * @param seconds how long it may take to get ready
   * @throws IOException when it does not get ready; it is ended then
   */
  public static WorkerProcess start(Lab lab, String name, List<String> command, long seconds)
      throws IOException, InterruptedException {
    Child child = lab.start(name, command);
    try {
      return new WorkerProcess(lab, child, Fields.parse(child.await("ready", seconds)));
    } catch (IOException | InterruptedException | RuntimeException broken) {
      lab.end(child);
      throw broken;
    }
  }

  /** What it said when it was ready. */
  public Fields greeting() {
    return greeting;
  }

  /** Its process id. */
  public long pid() {
    return child.pid();
  }

  /**
   * Gives it an order and waits until it is carried out.
   *
   * @param order what {@link Worker} reads behind {@code run}
   * @param seconds how long that may take
   */
  public Fields run(String order, long seconds) throws IOException, InterruptedException {
    child.send("run " + order);
    return Fields.parse(child.await("ran", seconds));
  }

  /** Ends it at once, with SIGKILL. */
  public void kill() {
    child.kill();
    lab.end(child);
  }

  @Override
  public void close() {
    lab.end(child);
  }
}
