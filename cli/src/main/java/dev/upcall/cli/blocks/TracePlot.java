package dev.upcall.cli.blocks;

import dev.upcall.io.Disk;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.specweb.document.HtmlPage;
import dev.upcall.specweb.document.Plot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Places over time, as in the figures of the study of e-commerce storage: a dot for each request.
 * Of a trace with more requests than can be drawn every so many is, for both directions alike.
 */
final class TracePlot implements TraceOutline.Each {
  /** Dots of each direction. */
  private static final int MOST_DOTS = 20_000;

  private static final double SECOND_NANOS = 1e9;
  private static final double MIB = 1 << 20;

  private final TraceOutline outline;
  private final long every;
  private final List<Plot.Point> reads = new ArrayList<>();
  private final List<Plot.Point> writes = new ArrayList<>();
  private long seen;

  TracePlot(TraceOutline outline) {
    this.outline = outline;
    this.every = Math.max(1, (outline.entries() + MOST_DOTS - 1) / MOST_DOTS);
  }

  @Override
  public boolean take(TraceEntry entry) {
    if (seen++ % every == 0) {
      Plot.Point dot =
          new Plot.Point(
              (entry.timeNanos() - outline.firstNanos()) / SECOND_NANOS,
              entry.run().block() * (Disk.BLOCK_BYTES / MIB));
      switch (entry.operation()) {
        case READ -> reads.add(dot);
        case WRITE, DURABLE_WRITE -> writes.add(dot);
        default -> {
          // What moves nothing has no place to draw.
        }
      }
    }
    return true;
  }

  /** The whole page. */
  String page(String name) {
    HtmlPage page = new HtmlPage("Block trace " + name, "");
    page.line("<h1>Block trace %s</h1>", name);
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("requests", Long.toString(outline.entries()));
    facts.put("time", String.format(Locale.ROOT, "%.3f s", outline.spanNanos() / SECOND_NANOS));
    facts.put("drawn", every == 1 ? "each request" : "each " + every + "th request");
    if (!outline.damage().isEmpty()) {
      facts.put("damage", outline.damage());
    }
    page.facts(facts);
    draw(page, "Reads and writes", List.of(dots("read", reads), dots("write", writes)));
    draw(page, "Reads", List.of(dots("read", reads)));
    draw(page, "Writes", List.of(dots("write", writes)));
    return page.end();
  }

  private static Plot.Series dots(String label, List<Plot.Point> points) {
    return Plot.Series.dots(label, points);
  }

  private static void draw(HtmlPage page, String title, List<Plot.Series> series) {
    page.line("<h2>%s</h2>", title);
    page.line(
        "%s",
        Plot.of(
            title + ", place over time",
            Plot.Scale.linear("time, s"),
            Plot.Scale.linear("place on the device, MiB"),
            series));
  }
}
