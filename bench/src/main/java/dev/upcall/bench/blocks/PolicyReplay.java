package dev.upcall.bench.blocks;

import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Latencies;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.specweb.document.JsonTree;
import java.io.IOException;
import java.util.List;

/**
 * An entrant that is {@code upcall blocks replay}, as fast as it goes, under one of our policies.
 */
final class PolicyReplay implements Running {
  private static final long LIMIT_SECONDS = 600;
  private static final String MAIN = "dev.upcall.cli.Main";

  private final Lab lab;
  private final RecordedTrace trace;
  private final Settings settings;
  private final boolean byDevice;

  /**
   * How it is played.
   *
   * @param policy with its knobs
   * @param asked requests that are asked for at once
   */
  record Settings(String policy, int asked) {}

  private PolicyReplay(Lab lab, RecordedTrace trace, Settings settings, boolean byDevice) {
    this.lab = lab;
    this.trace = trace;
    this.settings = settings;
    this.byDevice = byDevice;
  }

  static Entrant of(String name, Role role, RecordedTrace trace, Settings settings) {
    return new Entrant(name, role, lab -> new PolicyReplay(lab, trace, settings, false));
  }

  /** One by one as they come, by the time of {@link DeviceTime}. */
  static Entrant byDevice(String name, Role role, RecordedTrace trace) {
    Settings settings = new Settings("noop,merge=0,depth=1", 1);
    return new Entrant(name, role, lab -> new PolicyReplay(lab, trace, settings, true));
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    return byDevice ? DeviceTime.of(lab, this::play) : play();
  }

  private Sample play() throws IOException, InterruptedException {
    String target = trace.target().toString();
    String report =
        lab.run(
            "replay",
            lab.java(
                MAIN,
                List.of(
                    "blocks",
                    "replay",
                    trace.file().toString(),
                    target,
                    "--overwrite",
                    target,
                    "--speed=0",
                    "--depth=" + settings.asked(),
                    "--io-policy=" + settings.policy(),
                    "--json")),
            LIMIT_SECONDS);
    JsonTree json = JsonTree.parse(report.substring(Math.max(0, report.indexOf('{'))));
    double played = json.get("done").number();
    if (json.get("failed").number() > 0 || played == 0) {
      throw new IOException(
          "%,.0f requests failed: %s"
              .formatted(json.get("failed").number(), json.get("failure").text()));
    }
    JsonTree reads = json.get("readNanos");
    return new Sample(
        played,
        json.get("tookNanos").number() / 1e9,
        Double.NaN,
        Latencies.of(reads.get("p50").number() / 1e3, reads.get("p99").number() / 1e3));
  }

  @Override
  public void close() {
    // Each sample's process has ended by itself.
  }
}
