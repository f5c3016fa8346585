package dev.upcall.specweb.run;

import dev.upcall.specweb.client.ClientLoop;
import dev.upcall.specweb.load.LoadPoint;
import dev.upcall.specweb.load.Reading;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Runs load points one after the other, on threads that live as long as this object. */
public final class LoadTest implements AutoCloseable {
  private static final long STEP_NANOS = 1_000_000_000;
  private static final long DRAIN_STEP_NANOS = 20_000_000;

  private final TestSetup setup;
  private final Watch watch;
  private final List<ClientLoop> loops;

  /** Starts the threads. */
  public LoadTest(TestSetup setup, Watch watch) {
    this.setup = setup;
    this.watch = watch;
    loops =
        IntStream.range(0, setup.machinery().threads())
            .mapToObj(_ -> new ClientLoop(setup.machinery().transport()))
            .toList();
  }

  /**
   * Runs one point: warm-up, measured window, and the end of what is outstanding. Blocks.
   *
   * @param number of the point, which its random numbers depend on
   * @return what it showed, cut short when the end was asked for during the window; or null when
   *     that was before
   */
  public @Nullable PointResult run(LoadPoint point, int number, Phases phases)
      throws IOException, InterruptedException {
    List<Station> stations =
        ClientLoop.callAll(
            loops,
            i ->
                new Station(new Station.Part(loops.get(i), i, loops.size()), setup, point, number));
    long start = System.nanoTime();
    each(stations, station -> station.start(start, phases.rampSeconds()));
    if (!pass(stations, point, "warm-up", phases.warmSeconds())) {
      finish(stations);
      return null;
    }
    each(stations, Station::open);
    Cost before = Cost.now(setup.machinery().serverPids());
    boolean isWhole = pass(stations, point, "measuring", phases.runSeconds());
    Cost cost = Cost.now(setup.machinery().serverPids()).since(before);
    each(stations, Station::close);
    drain(stations, isWhole);
    long opened = 0;
    for (long one : all(stations, Station::connectionsOpened)) {
      opened += one;
    }
    return new PointResult(
        point, Reading.sum(finish(stations)), cost, opened, loops.size(), isWhole);
  }

  /** Lets a phase pass; false when the end was asked for. */
  private boolean pass(List<Station> stations, LoadPoint point, String phase, double seconds)
      throws InterruptedException {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      if (!watch.await(Math.min(STEP_NANOS, left))) {
        return false;
      }
      watch.progress(point, standing(stations, phase, (end - System.nanoTime()) / 1e9));
    }
    return true;
  }

  private Watch.Standing standing(List<Station> stations, String phase, double left)
      throws InterruptedException {
    long right = 0;
    long wrong = 0;
    int outstanding = 0;
    for (Watch.Standing one : all(stations, Station::standing)) {
      right += one.right();
      wrong += one.wrong();
      outstanding += one.outstanding();
    }
    return new Watch.Standing(phase, Math.max(0, left), right, wrong, outstanding);
  }

  /** Every request ends by itself, at the latest when its time is out. */
  private void drain(List<Station> stations, boolean patiently) throws InterruptedException {
    long patience = setup.client().timeoutNanos() + setup.client().holdNanos() + STEP_NANOS;
    long end = System.nanoTime() + (patiently ? patience : 0);
    while (System.nanoTime() < end && standing(stations, "draining", 0).outstanding() > 0) {
      if (!watch.await(DRAIN_STEP_NANOS)) {
        return;
      }
    }
  }

  private List<Reading> finish(List<Station> stations) throws InterruptedException {
    return all(stations, Station::finish);
  }

  private void each(List<Station> stations, Consumer<Station> task) throws InterruptedException {
    all(
        stations,
        station -> {
          task.accept(station);
          return true;
        });
  }

  /** Each station is in the place of its loop. */
  private <T> List<T> all(List<Station> stations, Function<Station, T> task)
      throws InterruptedException {
    return ClientLoop.callAll(loops, i -> task.apply(stations.get(i)));
  }

  /** Ends the threads. */
  @Override
  public void close() {
    ClientLoop.closeAll(loops);
  }
}
