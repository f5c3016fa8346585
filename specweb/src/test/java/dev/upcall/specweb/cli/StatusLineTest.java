package dev.upcall.specweb.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Progress on a terminal, and in a log. */
class StatusLineTest {
  private final StringWriter out = new StringWriter();
  private final AtomicLong clock = new AtomicLong();

  private String after(boolean isTerminal) {
    StatusLine line = new StatusLine(new PrintWriter(out), isTerminal, clock::get);
    line.begin("point 1");
    for (int second = 1; second <= 12; second++) {
      clock.addAndGet(1_000_000_000);
      line.show("second " + second);
    }
    line.clear();
    line.end("done");
    return out.toString();
  }

  @Test
  void aLogHasLines() {
    assertEquals("point 1\nsecond 5\nsecond 10\ndone\n", after(false));
  }

  @Test
  void aTerminalHasOneLine() {
    String shown = after(true);
    assertTrue(shown.startsWith("\rsecond 1 "), shown);
    assertTrue(shown.contains("\rsecond 12 ") && shown.contains("\rdone "), shown);
    assertEquals(1, shown.chars().filter(c -> c == '\n').count());
    assertFalse(shown.contains("point 1"), shown);
  }
}
