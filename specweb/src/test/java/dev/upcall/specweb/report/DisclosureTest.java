package dev.upcall.specweb.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class DisclosureTest {
  @Test
  void aReportDoesNotSayInWhoseFolderTheProgramLies() {
    assertEquals(
        "-Xmn64m -XX:+UseParallelGC",
        Disclosure.withoutLauncher(
            List.of("-Xmn64m", "-Dupcall.launcher=/home/me/upcall", "-XX:+UseParallelGC")));
  }
}
