package dev.upcall.bench.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceTrafficTest {
  private static final int BYTES = 1 << 20;

  @TempDir Path folder;

  private static final String LINE =
      " 27768973   124530 432300338 13552373  7663074   754706 304887936  1436992        0\n";

  @Test
  void sectorsAreTheSeventhNumber() {
    assertEquals(304887936.0 * 512, DeviceTraffic.written(LINE));
  }

  @Test
  void requestsAreTheFirstAndTheFifth() {
    DeviceTraffic.Moved before = new DeviceTraffic.Moved(973, 512, 74, 0);
    assertEquals(
        new DeviceTraffic.Moved(27768000, 432300338.0 * 512 - 512, 7663000, 304887936.0 * 512),
        DeviceTraffic.moved(LINE).since(before));
  }

  @Test
  void timesOfReadsAndWritesAreTheFourthNumberAndTheEighth() {
    assertEquals(13552.373 + 1436.992, DeviceTraffic.requestSeconds(LINE), 1e-9);
  }

  @Test
  void whatIsSyncedIsCounted() throws Exception {
    DeviceTraffic device = DeviceTraffic.below(folder);
    double before = device.writtenBytes();
    long ownBefore = ProcessCpu.writtenBytes(ProcessHandle.current().pid());
    try (FileChannel file =
        FileChannel.open(
            folder.resolve("file"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(BYTES));
      file.force(true);
    }
    double written = device.writtenBytes() - before;
    assertTrue(Double.isNaN(written) || written >= BYTES, () -> "device wrote " + written);
    long own = ProcessCpu.writtenBytes(ProcessHandle.current().pid()) - ownBefore;
    assertTrue(Double.isNaN(written) || own >= BYTES, () -> "process wrote " + own);
  }
}
