package dev.upcall.io.trace.text;

import dev.upcall.io.DiskOperation;
import dev.upcall.io.IoClass;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TraceSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads fio's log. Of version 2 the times are what its waits add up to; version 3 has one in each
 * line, in microseconds. All files of a log are taken for one device.
 */
final class IologReader implements TraceSource {
  /** How a log begins. */
  static final String HEAD = "fio version ";

  private static final String TAIL = " iolog";

  private static final TraceEntry.Run NO_RUN = new TraceEntry.Run(0, 0);

  private final TraceLines lines;
  private final boolean hasTimes;
  private long nanos;

  IologReader(TraceLines lines, TraceForm form) throws IOException {
    this.lines = lines;
    this.hasTimes = form == TraceForm.IOLOG_3;
    lines.next();
  }

  /** The form of a log that begins with a line. */
  static TraceForm form(Path file, String line) throws IOException {
    return switch (line) {
      case HEAD + "2" + TAIL -> TraceForm.IOLOG_2;
      case HEAD + "3" + TAIL -> TraceForm.IOLOG_3;
      default ->
          throw new IOException(
              "%s: line 1: '%s'; of fio's logs versions 2 and 3 are known".formatted(file, line));
    };
  }

  @Override
  public @Nullable TraceEntry next() throws IOException {
    for (String line = lines.next(); line != null; line = lines.next()) {
      List<String> words = Arrays.asList(line.strip().split("\\s+", -1));
      TraceEntry entry = hasTimes ? timed(words) : action(words);
      if (entry != null) {
        return entry;
      }
    }
    return null;
  }

  private @Nullable TraceEntry timed(List<String> words) throws IOException {
    long now = nanos(words.getFirst());
    if (now < nanos) {
      throw lines.wrong("it is earlier than the one before, by " + (nanos - now) / 1000 + " us");
    }
    nanos = now;
    return action(words.subList(1, words.size()));
  }

  private long nanos(String micros) throws IOException {
    return TimeUnit.MICROSECONDS.toNanos(lines.number(micros, "time in microseconds"));
  }

  /** What a line says but for its time; null if it moves nothing. */
  private @Nullable TraceEntry action(List<String> words) throws IOException {
    String action = words.size() < 2 ? "" : words.get(1);
    return switch (action) {
      case "add", "open", "close" -> null;
      case "wait" -> {
        nanos += nanos(word(words, 2));
        yield null;
      }
      case "read" -> entry(DiskOperation.READ, IoClass.FOREGROUND_READ, words);
      case "write" -> entry(DiskOperation.WRITE, IoClass.FOREGROUND_WRITE, words);
      case "trim" -> entry(DiskOperation.DISCARD, IoClass.BACKGROUND, words);
      case "sync", "datasync" ->
          new TraceEntry(nanos, DiskOperation.SYNC, IoClass.LOG, NO_RUN, TraceEntry.Source.UNKNOWN);
      default -> throw lines.wrong("'%s' is no action".formatted(action));
    };
  }

  private TraceEntry entry(DiskOperation operation, IoClass ioClass, List<String> words)
      throws IOException {
    long offset = lines.number(word(words, 2), "offset");
    long length = lines.number(word(words, 3), "length");
    return new TraceEntry(
        nanos,
        operation,
        ioClass,
        ByteRun.blocks(offset, length, lines),
        TraceEntry.Source.UNKNOWN);
  }

  private String word(List<String> words, int index) throws IOException {
    if (index >= words.size()) {
      throw lines.wrong("it has no offset or no length");
    }
    return words.get(index);
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
