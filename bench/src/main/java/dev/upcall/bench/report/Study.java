package dev.upcall.bench.report;

import java.io.IOException;

/** An experiment: settings in, a section of the report out. */
public interface Study {
  /** What it is about, for the progress and as the title of its section. */
  String title();

  /** How long it is thought to take. */
  double seconds(Size size);

  /**
   * Makes it.
   *
   * @throws IOException when something broke, or the user stopped it
   */
  Section run(Workbench bench) throws IOException, InterruptedException;
}
