package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.FileInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ranges and conditions, over a simulated connection. */
@ExtendWith(BufferLeakCheck.class)
class HttpReadingTest extends HttpReadingBehaviour<SessionWorld> {
  @Override
  public SessionWorld newWorld(HttpConfig config) {
    return new SessionWorld(1, config);
  }

  @Test
  void aDateDoesNotTellVersionsOfThePresentSecondApart() {
    long present = Math.floorDiv(world.clock.epochNanos(), 1_000_000_000L);
    world.site.modifiedSeconds = present - 2;
    FileInfo file = world.site.file("/a", "abc");
    String range = "Range: bytes=0-0\r\nIf-Range: ";
    assertEquals(200, one(GET + range + "Thu, 01 Jan 2026 00:00:00 GMT\r\n").status());
    assertEquals(206, one(GET + range + "\"" + file.entityTag() + "\"\r\n").status());
    world.runFor(1_000_000_000L);
    assertEquals(206, one(GET + range + "Thu, 01 Jan 2026 00:00:00 GMT\r\n").status());
  }
}
