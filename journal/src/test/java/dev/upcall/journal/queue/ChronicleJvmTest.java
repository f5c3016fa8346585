package dev.upcall.journal.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the queue needs of its JVM, what it says when it has it not, and that it talks to nobody.
 */
class ChronicleJvmTest {
  private static final String SENTENCE = "the queue needs Java to be started with ";

  @TempDir Path temporary;

  @Test
  void withoutAFlagOneSentenceNamesItBeforeAnythingIsOpened() throws Exception {
    String flags = String.join(" ", ChildJvm.OPENS);
    assertTrue(child(List.of(), "use").lines().toList().getFirst().endsWith(SENTENCE + flags));
    for (int given = 0; given < 2; given++) {
      String said = child(List.of(ChildJvm.OPENS.get(given)), "use");
      assertTrue(said.contains(SENTENCE + ChildJvm.OPENS.get(1 - given) + "\n"), said);
    }
    assertFalse(Files.exists(folder()));
  }

  @Test
  void withTheFlagsItWorksAndSaysNothingToAnybody() throws Exception {
    List<String> flags = new ArrayList<>(ChildJvm.OPENS);
    flags.add(watch());
    assertEquals("read [47, 11]\nstatistics false\nasked 0 open []\n", child(flags, "watch"));
    assertTrue(Files.exists(folder()));
  }

  @Test
  void whoWatchesSocketsSeesThem() throws Exception {
    String said = child(List.of(watch()), "talk");
    assertTrue(said.startsWith("socket: no sockets here\nchannel: no sockets here\n"), said);
    assertTrue(said.endsWith("asked 2 open []\n"), said);
  }

  @Test
  void theLibraryThatSendsStatisticsIsNotThere() {
    assertFalse(ChildJvm.classPath().contains("analytics"));
    assertThrows(
        ClassNotFoundException.class,
        () -> Class.forName("net.openhft.chronicle.analytics.Analytics"));
  }

  private static String watch() {
    return "-Djava.nio.channels.spi.SelectorProvider=" + SocketWatch.class.getName();
  }

  private Path folder() {
    return temporary.resolve("queue");
  }

  private String child(List<String> flags, String what) throws IOException, InterruptedException {
    return ChildJvm.run(flags, QueueChild.class, what, folder());
  }
}
