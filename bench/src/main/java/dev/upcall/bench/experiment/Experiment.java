package dev.upcall.bench.experiment;

import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Lab;
import java.io.IOException;
import java.util.List;

/** A question to the machine: makes its inputs and names what is compared. */
public interface Experiment {
  /** The name on the command line. */
  String name();

  /** Makes the inputs in the lab's scratch folder. */
  List<Comparison> prepare(Lab lab) throws IOException, InterruptedException;
}
