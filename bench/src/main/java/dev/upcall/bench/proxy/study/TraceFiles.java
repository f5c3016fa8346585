package dev.upcall.bench.proxy.study;

import dev.upcall.bench.proxy.layout.InfiniteRun;
import dev.upcall.bench.proxy.layout.LayoutKind;
import dev.upcall.bench.proxy.layout.ModelConfig;
import dev.upcall.bench.proxy.trace.RequestTrace;
import dev.upcall.io.trace.TraceHeader;
import dev.upcall.io.trace.TraceTarget;
import dev.upcall.io.trace.text.TraceForm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The requests of the first seed, a line each, and what each layout asks of the disks on day 2, as
 * block traces.
 *
 * @param folder where they go; null for nowhere
 */
public record TraceFiles(@Nullable Path folder) {
  /** The name of the file of requests. */
  public static final String REQUESTS = "requests.txt";

  /** The name of the block trace of a layout. */
  public static String name(LayoutKind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".blocks";
  }

  /**
   * Writes them.
   *
   * @throws IOException if there is such a file already, or it cannot be written
   */
  void write(StudySize size, RequestTrace trace) throws IOException {
    if (folder == null) {
      return;
    }
    trace.write(folder.resolve(REQUESTS));
    for (LayoutKind kind : LayoutKind.values()) {
      writeBlocks(kind, trace, size.of(ModelConfig.PAPER), folder.resolve(name(kind)));
    }
  }

  private static void writeBlocks(LayoutKind kind, RequestTrace trace, ModelConfig model, Path file)
      throws IOException {
    try (TraceTarget target =
        TraceForm.UPCALL.create(file, new TraceHeader(0, 0, 0), kind.label())) {
      InfiniteRun.of(
          kind,
          trace,
          model,
          entry -> {
            try {
              target.write(entry);
            } catch (IOException failed) {
              throw new UncheckedIOException(failed);
            }
          });
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
  }
}
