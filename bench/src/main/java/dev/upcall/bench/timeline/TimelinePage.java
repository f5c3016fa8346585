package dev.upcall.bench.timeline;

import dev.upcall.specweb.document.HtmlPage;
import dev.upcall.specweb.document.Plot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A window as a page: three drawings over the same time, and the slowest calls. */
public final class TimelinePage {
  private static final int SLOWEST = 12;
  private static final double NANOS_PER_MILLI = 1e6;

  private final Window window;
  private final HtmlPage page =
      new HtmlPage("upcall bench timeline", "svg.plot { margin: 0 0 1rem; }\n");

  private TimelinePage(Window window) {
    this.window = window;
  }

  /**
   * The page.
   *
   * @param machine what it was measured on
   */
  public static String of(Window window, Map<String, String> machine) {
    return new TimelinePage(window).drawn(machine);
  }

  private String drawn(Map<String, String> machine) {
    page.line("<h1>One bad quarter of a second</h1>");
    page.line(
        "<p>Durable creates of 4 KiB, one caller. The window with the longest of them: %s ms."
            + " Each dot stands where it ended, as high as it took.</p>",
        HtmlPage.show(window.worstNanos() / NANOS_PER_MILLI));
    page.facts(machine);
    page.line("<h2>The caller</h2>");
    draw("How long each create took", List.of(dots("create", window.calls())));
    page.line("<h2>The store's thread</h2>");
    List<Plot.Series> thread = new ArrayList<>();
    thread.add(dots("turns", window.turns()));
    thread.add(dots("upcalls above the threshold", window.stalls()));
    draw("How long each turn took", thread);
    page.line("<h2>The device</h2>");
    Map<String, List<Window.Span>> kinds = new LinkedHashMap<>();
    for (Window.Span request : window.requests()) {
      kinds.computeIfAbsent(request.what(), _ -> new ArrayList<>()).add(request);
    }
    draw(
        "How long each request took",
        kinds.entrySet().stream().map(kind -> dots(kind.getKey(), kind.getValue())).toList());
    table();
    return page.end();
  }

  private void draw(String description, List<Plot.Series> series) {
    List<Plot.Series> drawn = series.stream().filter(one -> !one.points().isEmpty()).toList();
    if (drawn.isEmpty()) {
      page.line("<p class=\"soft\">Nothing was recorded.</p>");
      return;
    }
    Plot.Scale x = Plot.Scale.linear("ms of the window");
    Plot.Scale y = Plot.Scale.log("ms");
    page.line("%s", Plot.of(description, x, y, drawn));
  }

  private Plot.Series dots(String label, List<Window.Span> spans) {
    return Plot.Series.dots(
        label,
        spans.stream()
            .filter(span -> span.nanos() > 0 && span.endedNanos() >= window.fromNanos())
            .map(
                span ->
                    new Plot.Point(
                        (span.endedNanos() - window.fromNanos()) / NANOS_PER_MILLI,
                        span.nanos() / NANOS_PER_MILLI))
            .toList());
  }

  private void table() {
    page.beginTable(
        "The slowest creates, and the longest of what went on meanwhile, in ms",
        List.of("ended at", "took", "turn", "upcall above the threshold", "device", "culprits"));
    for (Window.Span call : window.slowest(SLOWEST)) {
      List<String> culprits =
          window.stalls().stream().filter(call::meets).map(Window.Span::what).distinct().toList();
      page.row(
          List.of(
              millis(call.endedNanos() - window.fromNanos()),
              millis(call.nanos()),
              millis(Window.longestDuring(call, window.turns())),
              millis(Window.longestDuring(call, window.stalls())),
              millis(Window.longestDuring(call, window.requests())),
              HtmlPage.cell("note", String.join(", ", culprits))));
    }
    page.endTable();
  }

  private static String millis(long nanos) {
    return HtmlPage.show(nanos / NANOS_PER_MILLI);
  }
}
