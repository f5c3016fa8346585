package dev.upcall.bench.harness;

import static java.util.stream.Collectors.joining;

import dev.upcall.bench.host.DeviceTraffic;
import dev.upcall.bench.host.MissingPeerException;
import dev.upcall.bench.host.StolenTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a comparison: starts all entrants, then takes one sample of each in turn, back and forth, so
 * that whatever changes on the machine meanwhile meets all of them.
 */
public final class Contest {
  /** Of less of a core nothing is said. */
  private static final double STOLEN_PART = 0.01;

  private final Lab lab;
  private final Path processors;

  /** In a lab. */
  public Contest(Lab lab) {
    this(lab, StolenTime.KERNEL);
  }

  /**
   * In a lab.
   *
   * @param processors what the kernel says of them
   */
  Contest(Lab lab, Path processors) {
    this.lab = lab;
    this.processors = processors;
  }

  /** Runs it to its end. An entrant that is missing or breaks is marked; the others go on. */
  public Outcome run(Comparison comparison) throws InterruptedException {
    lab.say("%s: %s", comparison.experiment(), comparison.title());
    // Before each, since the one before has left its pages wherever memory was free.
    lab.compactMemory();
    List<Side> sides = new ArrayList<>();
    try {
      for (Entrant entrant : comparison.entrants()) {
        Side side = new Side(entrant, comparison.unitBytes());
        sides.add(side);
        side.start();
      }
      for (int repetition = 1; repetition <= lab.settings().repetitions(); repetition++) {
        // Back and forth, so that it is not always the same one that comes after the other.
        for (Side side : repetition % 2 == 1 ? sides : sides.reversed()) {
          side.measure(comparison.figure(), repetition);
        }
      }
      for (Side side : sides) {
        side.takeNote();
      }
    } finally {
      sides.forEach(Side::close);
    }
    return new Outcome(comparison, sides.stream().map(Side::row).toList());
  }

  private final class Side {
    private final Entrant entrant;
    private final List<Sample> samples = new ArrayList<>();
    private Outcome.Fate fate = Outcome.Fate.MEASURED;
    private String note = "";
    private @Nullable Running running;
    private final int unitBytes;
    private double deviceBytes;
    private double stolenPart;
    private String pagesNote = "";

    private Side(Entrant entrant, int unitBytes) {
      this.entrant = entrant;
      this.unitBytes = unitBytes;
    }

    private void start() throws InterruptedException {
      try {
        running = entrant.start().run(lab);
      } catch (IOException | RuntimeException broken) {
        end(broken);
      }
    }

    private void measure(Figure figure, int repetition) throws InterruptedException {
      if (running == null) {
        return;
      }
      try {
        DeviceTraffic device = DeviceTraffic.below(lab.scratch());
        double before = device.writtenBytes();
        StolenTime stolen = new StolenTime(processors);
        Sample sample = running.measure();
        stolenPart = Math.max(stolenPart, stolen.part());
        deviceBytes += device.writtenBytes() - before;
        samples.add(sample);
        running.process().ifPresent(pid -> pagesNote = lab.largePages().of(pid));
        lab.say(
            "  %d/%d %-28s %s %s",
            repetition,
            lab.settings().repetitions(),
            entrant.name(),
            Numbers.show(figure.of(sample)),
            figure.label());
      } catch (IOException | RuntimeException broken) {
        end(broken);
      }
    }

    private void takeNote() throws InterruptedException {
      if (running == null) {
        return;
      }
      try {
        note =
            Stream.of(deviceNote(), stolenNote(), pagesNote, running.note())
                .filter(text -> !text.isEmpty())
                .collect(joining("; "));
      } catch (IOException | RuntimeException broken) {
        end(broken);
      }
    }

    private String deviceNote() {
      double userBytes = samples.stream().mapToDouble(Sample::units).sum() * unitBytes;
      return userBytes > 0 && !Double.isNaN(deviceBytes)
          ? "device wrote %s bytes for each of the user"
              .formatted(Numbers.ratio(deviceBytes / userBytes))
          : "";
    }

    private String stolenNote() {
      return stolenPart >= STOLEN_PART
          ? String.format(Locale.ROOT, "the host took up to %.0f %% of a core", stolenPart * 100)
          : "";
    }

    /** A program may be missed as late as in the first sample: the load's, for example. */
    private void end(Exception why) {
      fate = why instanceof MissingPeerException ? Outcome.Fate.MISSING : Outcome.Fate.FAILED;
      note = String.valueOf(why.getMessage());
      samples.clear();
      close();
      if (!lab.isStopped()) {
        lab.say("  %s: %s: %s", entrant.name(), fate.name().toLowerCase(Locale.ROOT), note);
      }
    }

    private void close() {
      Running toClose = running;
      running = null;
      if (toClose != null) {
        try {
          toClose.close();
        } catch (IOException | RuntimeException broken) {
          lab.say("  %s: closing: %s", entrant.name(), broken);
        }
      }
    }

    private Outcome.Row row() {
      return new Outcome.Row(entrant, fate, List.copyOf(samples), note);
    }
  }
}
