package dev.upcall.io.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Devices as Linux describes them, in a folder of the test. */
class HostDeviceTest {
  /** 8:17, which is the first partition of a second disk. */
  private static final long NUMBER = 8 << 8 | 17;

  @TempDir private Path folder;

  /** A disk, and a link from a number to it or to a part of it. */
  private Path devices(String disk, String part, String rotational) throws IOException {
    Path whole = Files.createDirectories(folder.resolve("devices").resolve(disk));
    Files.createDirectories(whole.resolve("queue"));
    Files.writeString(whole.resolve("queue/rotational"), rotational + "\n");
    Path numbered = whole;
    if (!part.isEmpty()) {
      numbered = Files.createDirectories(whole.resolve(part));
      Files.writeString(numbered.resolve("partition"), "1\n");
    }
    Path links = Files.createDirectories(folder.resolve("block"));
    Files.createSymbolicLink(links.resolve("8:17"), numbered);
    return links;
  }

  @ParameterizedTest
  @CsvSource({
    "sdb, sdb1, 1, true",
    "sdb, '', 1, true",
    "sdb, sdb1, 0, false",
    "vda, vda1, 1, false",
    "nvme0n1, nvme0n1p1, 0, false",
    "dm-0, '', 1, false",
  })
  void onlyDisksThatKnowAreBelieved(String disk, String part, String rotational, boolean rotates)
      throws IOException {
    HostDevice device = HostDevice.of(NUMBER, devices(disk, part, rotational));
    assertEquals(rotates, device.isRotating());
    assertEquals(disk, device.name());
    assertNotNull(device.queue("scheduler"));
  }

  @Test
  void ofWhatIsNoDeviceNothingIsKnown() throws IOException {
    HostDevice none = HostDevice.of(NUMBER, Files.createDirectories(folder.resolve("block")));
    assertFalse(none.isRotating());
    assertEquals("", none.name());
    assertNull(none.queue("scheduler"));
    assertFalse(HostDevice.below(folder.resolve("missing")).isRotating());
  }

  @Test
  void aDiskThatDoesNotSayHasNone() throws IOException {
    Path links = devices("sdb", "", "1");
    Files.delete(folder.resolve("devices/sdb/queue/rotational"));
    assertFalse(HostDevice.of(NUMBER, links).isRotating());
  }

  @Test
  void largeNumbersAreTakenApart() throws IOException {
    // 259:300, whose minor number has two places.
    long number = 259 << 8 | (300 & 0xff) | (300L & ~0xff) << 12;
    Path links = Files.createDirectories(folder.resolve("block"));
    Path disk = Files.createDirectories(folder.resolve("nvme3n1"));
    Files.createSymbolicLink(links.resolve("259:300"), disk);
    assertEquals("nvme3n1", HostDevice.of(number, links).name());
  }
}
