package dev.upcall.bench.proxy.study;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.proxy.finite.FiniteConfig;
import dev.upcall.bench.proxy.layout.ModelConfig;
import dev.upcall.bench.proxy.trace.TraceConfig;
import dev.upcall.bench.report.Cover;
import dev.upcall.bench.report.Pace;
import dev.upcall.bench.report.Paper;
import dev.upcall.bench.report.Paper.Part;
import dev.upcall.specweb.document.Markup;
import java.util.List;
import java.util.Map;

/** How a proxy cache should lay its objects out on disk: the paper's figures. */
public final class ProxyPaper {
  private static final Cover COVER =
      new Cover(
          "upcall-proxy-layouts",
          "upcall bench proxy-layouts: CERN, Squid and mapped files",
          "How a proxy cache should lay its objects out on disk",
          Markup.of(
              """
              The experiments of <i>Reducing the Disk I/O of Web Proxy Server Caches</i> (Maltzahn,
              Richardson, Grunwald, USENIX 1999), made again by
              <code>upcall bench proxy-layouts</code>: two days of requests from a seed, replayed
              over a counted model of a fast file system and the paper's disk, in virtual time, so
              that the same seeds give the same figures on every machine. The model's memory was
              chosen by figure 4, but the figures of the other layouts were seen while directories
              were still being modelled, so the calibration was not blind; what each verdict depends
              on stands beside it. Each claim stands beside what is found; the sentences are
              made from the data. The last two sections are measured on this machine.\
              """),
          "the paper");

  private ProxyPaper() {}

  /**
   * The paper at a size.
   *
   * @param lab has the files of the parts that are measured
   * @param files where requests and block traces are written, too
   */
  public static Paper of(Lab lab, StudySize size, TraceFiles files) {
    return new Paper(
        COVER,
        size.label(),
        Paper.MEASURED,
        Map.of("seeds", size.seeds().toString()),
        pace -> parts(lab, size, files, pace));
  }

  /** All of them; what one has run the next ones look at, too. */
  private static List<Part> parts(Lab lab, StudySize size, TraceFiles files, Pace pace) {
    Runs runs = new Runs(size, pace);
    DeviceStudy devices = new DeviceStudy(new DeviceRuns(lab, size, pace));
    return List.of(
        new Part(
            GeneratorStudy.TITLE,
            size.seeds().size() * size.runSeconds(),
            () -> {
              files.write(size, runs.trace(TraceConfig.paper(1)));
              return new GeneratorStudy(runs).section();
            }),
        new Part(
            LayoutStudy.TITLE,
            LayoutStudy.seconds(size),
            new LayoutStudy(runs, ModelConfig.PAPER)::section),
        new Part(
            PolicyStudy.TITLE,
            PolicyStudy.seconds(size),
            new PolicyStudy(runs, FiniteConfig.PAPER)::section),
        new Part(
            SensitivityStudy.TITLE,
            SensitivityStudy.seconds(size),
            new SensitivityStudy(runs)::section),
        new Part(DeviceStudy.TITLE, DeviceStudy.seconds(size), devices::host),
        new Part(DeviceStudy.STORE, DeviceStudy.storeSeconds(size), devices::store));
  }
}
