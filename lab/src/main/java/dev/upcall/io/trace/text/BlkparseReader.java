package dev.upcall.io.trace.text;

import dev.upcall.io.DiskOperation;
import dev.upcall.io.IoClass;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TraceSource;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of blkparse in its default form: the requests that were issued to the driver (its
 * events {@code D}), of one device. Who asks is the process. The summary behind the events is left
 * out.
 */
final class BlkparseReader implements TraceSource {
  private static final Pattern EVENT =
      Pattern.compile(
          "\\s*([0-9]+,[0-9]+)\\s+[0-9]+\\s+[0-9]+\\s+([0-9]+)\\.([0-9]{9})\\s+([0-9]+)"
              + "\\s+([A-Za-z]+)\\s+([A-Z]+)(?:\\s+([0-9]+) \\+ ([0-9]+))?(?:\\s.*)?");

  private static final int SECTOR_BYTES = 512;
  private static final String ISSUED = "D";
  private static final TraceEntry.Run NO_RUN = new TraceEntry.Run(0, 0);

  private final TraceLines lines;
  private String device = "";
  private long nanos;

  BlkparseReader(TraceLines lines) {
    this.lines = lines;
  }

  @Override
  public @Nullable TraceEntry next() throws IOException {
    for (String line = lines.next(); line != null; line = lines.next()) {
      if (line.startsWith("CPU") || line.startsWith("Total")) {
        return null;
      }
      Matcher event = EVENT.matcher(line);
      if (line.isBlank()) {
        continue;
      }
      if (!event.matches()) {
        throw lines.wrong("it is no event of blkparse's default form: '" + line.strip() + "'");
      }
      if (event.group(5).equals(ISSUED)) {
        return entry(event);
      }
    }
    return null;
  }

  private TraceEntry entry(Matcher event) throws IOException {
    String of = event.group(1);
    if (!device.isEmpty() && !device.equals(of)) {
      throw lines.wrong("it is of device %s, those before of %s: give one".formatted(of, device));
    }
    device = of;
    long now =
        TimeUnit.SECONDS.toNanos(lines.number(event.group(2), "time"))
            + lines.number(event.group(3), "time");
    if (now < nanos) {
      throw lines.wrong("it is earlier than the one before, by " + (nanos - now) + " ns");
    }
    nanos = now;
    String flags = event.group(6);
    DiskOperation operation = operation(flags);
    long asker = lines.number(event.group(4), "process");
    return new TraceEntry(
        now,
        operation,
        ioClass(operation, flags),
        operation == DiskOperation.SYNC ? NO_RUN : run(event),
        new TraceEntry.Source((int) Math.min(asker, Integer.MAX_VALUE), 1, 0));
  }

  private TraceEntry.Run run(Matcher event) throws IOException {
    if (event.group(7) == null) {
      throw lines.wrong("it has no place");
    }
    long sector = lines.number(event.group(7), "sector");
    long sectors = lines.number(event.group(8), "number of sectors");
    if (sector > Long.MAX_VALUE / SECTOR_BYTES || sectors > Long.MAX_VALUE / SECTOR_BYTES) {
      throw lines.wrong("%d sectors at %d are no place".formatted(sectors, sector));
    }
    return ByteRun.blocks(sector * SECTOR_BYTES, sectors * SECTOR_BYTES, lines);
  }

  /** What the letters say: a flush stands before the direction, forced access behind it. */
  private DiskOperation operation(String flags) throws IOException {
    int write = flags.indexOf('W');
    if (flags.indexOf('D') >= 0) {
      return DiskOperation.DISCARD;
    }
    if (write >= 0) {
      return flags.indexOf('F', write) > 0 ? DiskOperation.DURABLE_WRITE : DiskOperation.WRITE;
    }
    if (flags.indexOf('R') >= 0) {
      return DiskOperation.READ;
    }
    if (flags.indexOf('F') >= 0) {
      return DiskOperation.SYNC;
    }
    throw lines.wrong("'%s' is no direction".formatted(flags));
  }

  private static IoClass ioClass(DiskOperation operation, String flags) {
    return switch (operation) {
      case READ -> flags.indexOf('A') > 0 ? IoClass.READ_AHEAD : IoClass.FOREGROUND_READ;
      case SYNC, DURABLE_WRITE -> IoClass.LOG;
      default -> flags.indexOf('S') > 0 ? IoClass.FOREGROUND_WRITE : IoClass.BACKGROUND;
    };
  }

  @Override
  public String damage() {
    return lines.damage();
  }

  @Override
  public String place() {
    return lines.place();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
