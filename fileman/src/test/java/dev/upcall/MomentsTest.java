package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.content.Permissions;
import dev.upcall.content.Times;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Moments, spans and permissions as the JDK has them say what the numbers beside them say. */
class MomentsTest {
  private static final Instant MOMENT = Instant.parse("2026-11-25T13:02:45.123456789Z");

  @Test
  void momentsAreNanosecondsSince1970() {
    long nanos = Times.nanosOf(MOMENT, "moment");
    assertEquals(MOMENT, Times.instantOf(nanos));
    assertEquals(Instant.parse("1969-12-31T23:59:59.999999999Z"), Times.instantOf(-1));
    assertEquals(-1, Times.nanosOf(Times.instantOf(-1), "moment"));
    Times times = new Times(1, nanos, 3);
    assertEquals(MOMENT, times.modified());
    assertEquals(Optional.empty(), times.expires());
    assertEquals(Optional.of(MOMENT), new Times(1, 2, 3, nanos).expires());
  }

  @Test
  void whatHasNoNanosecondsIsNamed() {
    for (Instant none : new Instant[] {Instant.MIN, Instant.MAX}) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class, () -> MetadataChange.NONE.withModified(none));
      assertEquals("modified is " + none, refused.getMessage().split(",", -1)[0]);
    }
  }

  @Test
  void expiriesBeyondTheEndAreNever() {
    assertEquals(new Expiry.At(Times.nanosOf(MOMENT, "moment")), Expiry.at(MOMENT));
    assertEquals(Expiry.NEVER, Expiry.at(Instant.MAX));
    assertEquals(new Expiry.At(0), Expiry.at(Instant.MIN));
    assertEquals(Expiry.NEVER, Expiry.after(Duration.ofSeconds(Long.MAX_VALUE)));
  }

  @Test
  void permissionsAreTheLowNineBits() {
    for (int mode = 0; mode <= 0777; mode++) {
      assertEquals(mode, Permissions.mode(Permissions.of(mode)));
    }
    assertEquals(PosixFilePermissions.fromString("rwxr-x--x"), Permissions.of(04751));
    assertEquals(
        0640, OpenMode.CREATE.withPermissions(PosixFilePermissions.fromString("rw-r-----")).mode());
  }
}
