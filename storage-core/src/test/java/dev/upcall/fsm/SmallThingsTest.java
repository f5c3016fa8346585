package dev.upcall.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Checksums;
import dev.upcall.base.SystemClock;
import dev.upcall.config.WaitConfig;
import dev.upcall.fsm.door.ParkingReactor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Checksums, limits, clocks and the parking reactor. */
class SmallThingsTest {
  private static final byte[] CHECK = "123456789".getBytes(StandardCharsets.US_ASCII);

  @Test
  void waitsAreSetByDurations() {
    WaitConfig waits =
        WaitConfig.defaults()
            .withWakeDelay(Duration.ofNanos(1))
            .withDoze(Duration.ofNanos(2))
            .withSpins(Duration.ofNanos(3), Duration.ofNanos(4));
    assertEquals(new WaitConfig(WaitConfig.defaults().wakeLimit(), 1, 2, 3, 4), waits);
    assertThrows(
        IllegalArgumentException.class,
        () -> WaitConfig.defaults().withDoze(Duration.ofSeconds(2)));
  }

  @Test
  void theChecksumIsCastagnolis() {
    int known = 0xE3069283;
    assertEquals(known, Checksums.crc32c(CHECK));
    byte[] padded = new byte[30];
    System.arraycopy(CHECK, 0, padded, 11, CHECK.length);
    assertEquals(known, Checksums.crc32c(padded, 11, CHECK.length));
    for (ByteBuffer buffer :
        new ByteBuffer[] {ByteBuffer.allocate(30), ByteBuffer.allocateDirect(30)}) {
      buffer.put(padded).position(11).limit(20);
      assertEquals(known, Checksums.crc32c(buffer));
      assertEquals(11, buffer.position());
      assertEquals(20, buffer.limit());
      buffer.position(3);
      assertEquals(known, Checksums.crc32c(buffer, 11, 9));
      assertEquals(3, buffer.position());
    }
    assertEquals(0, Checksums.crc32c(new byte[0]));
  }

  @Test
  void aBadLimitIsNamed() {
    assertEquals(
        "stallThresholdNanos is -1, must be from 0 to " + Long.MAX_VALUE,
        assertThrows(
                IllegalArgumentException.class,
                () -> new DispatcherConfig("d", 9, 9, 9, 9, 99, 0, -1, 1, WaitConfig.defaults()))
            .getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () -> new DispatcherConfig("d", 10, 10, 10, 10, 19, 0, 0, 1, WaitConfig.defaults()),
        "the FIFO must hold what a turn takes in");
  }

  @Test
  void theSystemClockTellsBothTimes() {
    SystemClock clock = new SystemClock();
    long before = clock.monotonicNanos();
    assertTrue(clock.epochNanos() > TimeUnit.DAYS.toNanos(365 * 50));
    assertTrue(clock.monotonicNanos() >= before);
  }

  @Test
  void aWakeupBeforeTheWaitEndsTheNextOne() {
    ParkingReactor reactor = new ParkingReactor();
    reactor.wakeup();
    reactor.await(Long.MAX_VALUE);
    reactor.await(0);
    reactor.await(1);
    reactor.close();
  }
}
