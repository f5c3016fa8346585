package dev.upcall.fileman.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.UpcallException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that give keys, and their time. */
@Timeout(60)
class KeyReaderTest {
  private static final String KEY = "head -c 32 /dev/zero";

  /** A child that stays behind holds the output, whose end is the end of the key. */
  @ParameterizedTest
  @ValueSource(strings = {"sleep 5 & " + KEY, "sleep 5; " + KEY, KEY + "; exec >&-; sleep 5"})
  void aCommandThatDoesNotEnd_isWaitedForNoLonger(String command) {
    long begin = System.nanoTime();
    UpcallException late =
        assertThrows(
            UpcallException.Invalid.class,
            () -> KeyReader.ofCommand(command, Duration.ofSeconds(1)));
    assertEquals(
        "the key command, or its output, did not end within 1 seconds", late.failure().message());
    assertEquals(0, Duration.ofNanos(System.nanoTime() - begin).toSeconds() / 5);
  }

  @Test
  void aCommandThatEnds_isNotWaitedFor() {
    KeyReader.ofCommand("(sleep 5 >/dev/null &) ; " + KEY, Duration.ofSeconds(50)).close();
  }
}
