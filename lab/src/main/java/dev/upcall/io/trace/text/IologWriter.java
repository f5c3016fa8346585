package dev.upcall.io.trace.text;

import dev.upcall.io.Disk;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TraceTarget;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/**
 * Writes fio's log. A durable write is a write and a datasync behind it. For requests that make
 * room or cut the end the log has no words.
 */
final class IologWriter implements TraceTarget {
  private static final long MICRO_NANOS = 1000;

  private final Writer out;
  private final String device;
  private final boolean hasTimes;
  private long beganNanos = -1;
  private long lastMicros;

  IologWriter(Writer out, TraceForm form, String device) throws IOException {
    this.out = out;
    this.device = device;
    this.hasTimes = form == TraceForm.IOLOG_3;
    out.write("fio version " + (hasTimes ? 3 : 2) + " iolog\n");
    line("add");
    line("open");
  }

  @Override
  public boolean write(TraceEntry entry) throws IOException {
    String action =
        switch (entry.operation()) {
          case READ -> "read";
          case WRITE, DURABLE_WRITE -> "write";
          case DISCARD -> "trim";
          case SYNC -> "datasync";
          case ALLOCATE, SHRINK, STAT -> "";
        };
    if (action.isEmpty()) {
      return false;
    }
    passTime(entry.timeNanos());
    switch (entry.operation()) {
      case SYNC -> line("datasync 0 0");
      case DURABLE_WRITE -> {
        line(placed(action, entry.run()));
        line("datasync 0 0");
      }
      default -> line(placed(action, entry.run()));
    }
    return true;
  }

  private static String placed(String action, TraceEntry.Run run) {
    return String.format(
        Locale.ROOT,
        "%s %d %d",
        action,
        run.block() * Disk.BLOCK_BYTES,
        run.blocks() * Disk.BLOCK_BYTES);
  }

  private void passTime(long nanos) throws IOException {
    if (beganNanos < 0) {
      beganNanos = nanos;
    }
    long micros = (nanos - beganNanos) / MICRO_NANOS;
    if (!hasTimes && micros > lastMicros) {
      line("wait " + (micros - lastMicros) + " 0");
    }
    lastMicros = micros;
  }

  private void line(String what) throws IOException {
    out.write((hasTimes ? lastMicros + " " : "") + device + " " + what + "\n");
  }

  @Override
  public void close() throws IOException {
    try (out) {
      line("close");
    }
  }
}
