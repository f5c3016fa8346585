package dev.upcall.bench.securefile.study;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.report.Cover;
import dev.upcall.bench.report.Pace;
import dev.upcall.bench.report.Paper;
import dev.upcall.bench.report.Paper.Part;
import dev.upcall.specweb.document.Markup;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Large objects in a database: the figures of the SecureFiles paper. */
public final class SecureFilesPaper {
  private static final Cover COVER =
      new Cover(
          "upcall-securefiles",
          "upcall bench securefiles: five sets of objects",
          "Loading and reading large objects",
          Markup.of(
              """
              The experiments of <i>Oracle SecureFiles: Prepared for the Digital Deluge</i>
              (Mukherjee and others, VLDB 2009), made again by <code>upcall bench securefiles</code>:
              e-mails, documents, images and videos are loaded into this store and into others,
              durable call by durable call, and read in random order when nothing is in memory.
              All is measured on this machine; the paper had seven servers with 16 cores and 15
              disks each, so its claims are looked at as ratios.\
              """),
          "the paper");

  private SecureFilesPaper() {}

  /**
   * The paper at a size.
   *
   * @param lab has the stores
   */
  public static Paper of(Lab lab, StudySize size) {
    return new Paper(
        COVER,
        size.label(),
        Paper.MEASURED,
        Map.of(),
        pace -> parts(new SetRuns(lab, size, pace), lab, pace));
  }

  /** All of them; the device's rates are looked at by the second one, too. */
  private static List<Part> parts(SetRuns runs, Lab lab, Pace pace) {
    StudySize size = runs.size();
    Device device = new Device(runs);
    return List.of(
        new Part(DeviceRates.TITLE, 2 * size.runSeconds(), () -> device.rates().section()),
        new Part(
            SetStudy.TITLE,
            SetStudy.seconds(size),
            () -> new SetStudy(runs).section(device.rates())),
        new Part(
            PeerStudy.TITLE,
            PeerStudy.seconds(size),
            () -> new PeerStudy(runs).section(lab.scratch())),
        new Part(OptionStudy.TITLE, OptionStudy.seconds(size), new OptionStudy(runs)::section),
        new Part(ArithmeticStudy.TITLE, 0.1, ArithmeticStudy::section),
        new Part(
            SealedStudy.TITLE,
            SealedStudy.seconds(size),
            () -> new SealedStudy(lab, size, pace).section()),
        new Part(AheadStudy.TITLE, AheadStudy.seconds(size), () -> new AheadStudy(runs).section()),
        new Part(
            TwoVolumesStudy.TITLE,
            TwoVolumesStudy.seconds(size),
            () -> new TwoVolumesStudy(runs).section()),
        new Part(
            SlowDeviceStudy.TITLE,
            SlowDeviceStudy.seconds(size),
            () -> new SlowDeviceStudy(runs, lab.scratch()).section()));
  }

  /** The device, measured when it is first asked for. */
  private static final class Device {
    private final SetRuns runs;
    private @Nullable DeviceRates rates;

    Device(SetRuns runs) {
      this.runs = runs;
    }

    DeviceRates rates() throws IOException, InterruptedException {
      DeviceRates known = rates;
      if (known == null) {
        known = DeviceRates.measure(runs);
        rates = known;
      }
      return known;
    }
  }
}
