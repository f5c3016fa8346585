package dev.upcall.bench.securefile.study;

import dev.upcall.bench.host.MissingPeerException;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The device's own rates of writing and reading; NaN where there is no fio.
 *
 * @param writeMegabytes millions of bytes a second
 * @param readMegabytes the same
 * @param section of the page
 */
record DeviceRates(double writeMegabytes, double readMegabytes, Section section) {
  static final String TITLE = "1. The device";
  private static final List<Integer> STREAMS = List.of(1, 4);

  /** Asks fio. */
  static DeviceRates measure(SetRuns runs) throws IOException, InterruptedException {
    double write = 0;
    double read = 0;
    List<List<String>> rows = new ArrayList<>();
    try {
      for (int streams : STREAMS) {
        double written = runs.deviceMegabytes("write", streams);
        double got = runs.deviceMegabytes("read", streams);
        rows.add(List.of("" + streams, Judgement.show(written), Judgement.show(got)));
        write = Math.max(write, written);
        read = Math.max(read, got);
      }
    } catch (MissingPeerException missing) {
      return new DeviceRates(
          Double.NaN, Double.NaN, Section.leftOut(TITLE, String.valueOf(missing.getMessage())));
    } finally {
      runs.forgetDevice();
    }
    return new DeviceRates(
        write,
        read,
        Section.of(
            TITLE,
            "One file from begin to end by fio, direct requests of 1 MiB, one outstanding in each"
                + " stream; a sync ends the writing. The larger figure of each kind is W and R"
                + " below.",
            List.of(),
            List.of(),
            List.of(new Grid("MB/s", List.of("streams", "write", "read"), rows))));
  }
}
