package dev.upcall.bench.proxy.device;

import dev.upcall.bench.host.DeviceTraffic;
import dev.upcall.bench.proxy.place.SegmentFile;
import java.io.IOException;
import java.nio.file.Path;

/** Where real files are. Used by one thread. */
interface Ground extends AutoCloseable {
  /** The folder of files. */
  Path root();

  /** The file of small objects: of so many bytes, or shorter as long as less is written. */
  SegmentFile segments(long mostBytes) throws IOException;

  /** Everything that was written is on the device afterwards. */
  void flush() throws IOException;

  /** The requests to the device until now. */
  DeviceTraffic.Moved moved() throws IOException;

  @Override
  void close() throws IOException;
}
