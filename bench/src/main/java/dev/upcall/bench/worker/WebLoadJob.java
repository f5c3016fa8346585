package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import java.io.IOException;

/** Placeholder until the web study lands. */
final class WebLoadJob implements Worker.Job {
  WebLoadJob(Fields options) {
    options.text("port");
  }

  @Override
  public Tally run(long nanos) throws IOException {
    throw new IOException("none");
  }

  @Override
  public void close() {}
}
