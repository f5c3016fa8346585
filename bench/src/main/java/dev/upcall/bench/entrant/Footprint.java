package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.host.ProcessCpu;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a store that only adds has made of what it was given, from its first to its last unit: bytes
 * that its files hold (allocated blocks, logs and journals of its own included) and bytes that its
 * process has written, warm-up and work in the background included.
 *
 * @param files its file or directory
 * @param unitBytes what the user gave with a unit
 */
public record Footprint(Path files, int unitBytes) {
  private static final long LOOK_SECONDS = 60;

  /** In words, after a number of units. */
  String describe(Lab lab, long pid, long units) throws IOException, InterruptedException {
    double live = (double) units * unitBytes;
    double heldBytes = heldBytes(lab);
    return "its process %s; %s bytes on disk for each live one, of %s MiB"
        .formatted(
            Numbers.ratio(ProcessCpu.writtenBytes(pid) / live),
            Numbers.ratio(heldBytes / live),
            Numbers.show(live / (1 << 20)));
  }

  /** Bytes that its files hold: allocated blocks. */
  public double heldBytes(Lab lab) throws IOException, InterruptedException {
    String held =
        lab.run("du", List.of("du", "-s", "--block-size=1", files.toString()), LOOK_SECONDS);
    return Double.parseDouble(held.substring(0, held.indexOf('\t')));
  }
}
