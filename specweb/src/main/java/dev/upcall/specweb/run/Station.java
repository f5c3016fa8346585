package dev.upcall.specweb.run;

import dev.upcall.specweb.client.ClientLoop;
import dev.upcall.specweb.client.WebClient;
import dev.upcall.specweb.load.LoadContext;
import dev.upcall.specweb.load.LoadPoint;
import dev.upcall.specweb.load.Reading;
import dev.upcall.specweb.load.Recorder;
import dev.upcall.specweb.load.Worker;
import java.util.List;

/** One thread's part of a load point: its client, its workers, its counts. On that thread. */
final class Station {
  private final ClientLoop loop;
  private final WebClient client;
  private final Recorder recorder = new Recorder();
  private final List<Worker> workers;

  /**
   * The part of one loop.
   *
   * @param loop which
   * @param index its number
   * @param count how many there are
   */
  record Part(ClientLoop loop, int index, int count) {}

  Station(Part part, TestSetup setup, LoadPoint point, int number) {
    loop = part.loop();
    client = new WebClient(loop, setup.target(), setup.client());
    LoadContext context = new LoadContext(loop, client, recorder);
    workers =
        point.workers(
            context, setup.behaviour(), setup.pointSeed(number), part.index(), part.count());
  }

  /** Lets the workers begin one after the other. */
  void start(long atNanos, double rampSeconds) {
    for (int i = 0; i < workers.size(); i++) {
      workers.get(i).start(atNanos + (long) (rampSeconds * 1e9 * i / workers.size()));
    }
  }

  void open() {
    recorder.open(loop.nanoTime());
  }

  /** The window ends, and nothing more is asked for. */
  void close() {
    recorder.close(loop.nanoTime());
    workers.forEach(Worker::stop);
  }

  Watch.Standing standing() {
    return new Watch.Standing("", 0, recorder.right(), recorder.wrong(), recorder.outstanding());
  }

  /** Ends the connections; what was counted. */
  Reading finish() {
    client.close();
    return recorder.reading();
  }

  long connectionsOpened() {
    return client.opened();
  }
}
