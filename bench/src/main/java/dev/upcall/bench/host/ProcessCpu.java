package dev.upcall.bench.host;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What the kernel says of a process: processor time of all its threads, memory, writes. */
public final class ProcessCpu {
  /** The kernel shows times to programs in hundredths of a second, whatever its own tick. */
  static final double TICKS_PER_SECOND = 100;

  /** Where user time stands, system time after it, behind the name, which may contain blanks. */
  private static final int USER_FIELD = 11;

  /** The same of children that have ended. */
  private static final int CHILDREN_USER_FIELD = 13;

  private static final int KIB = 1024;

  private ProcessCpu() {}

  /** User and system time of a process, its kernel workers included. */
  public static double seconds(long pid) throws IOException {
    return parse(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
  }

  /** The same of a process and of all that it has started and that run still. */
  public static double treeSeconds(long pid) throws IOException {
    double seconds = seconds(pid);
    List<ProcessHandle> started =
        ProcessHandle.of(pid).map(ProcessHandle::descendants).orElse(Stream.empty()).toList();
    for (ProcessHandle child : started) {
      seconds += seconds(child.pid());
    }
    return seconds;
  }

  /** User and system time of all children of this process, and theirs, that have ended. */
  public static double endedChildrenSeconds() throws IOException {
    return parse(Files.readString(Path.of("/proc/self/stat")), CHILDREN_USER_FIELD);
  }

  /**
   * The time of each thread whose name begins with one of these, by thread id. Threads that ended
   * are left out.
   */
  static Map<String, Double> threadSeconds(long pid, List<String> names) throws IOException {
    Map<String, Double> seconds = new LinkedHashMap<>();
    Path tasks = Path.of("/proc", Long.toString(pid), "task");
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        try {
          String stat = Files.readString(thread.resolve("stat"));
          if (names.stream().anyMatch(name -> stat.contains("(" + name))) {
            seconds.put(thread.getFileName().toString(), threadSeconds(thread, stat));
          }
        } catch (IOException unreadable) {
          // A thread that ends while we look has no file, or one that cannot be read any more.
          if (Files.exists(thread)) {
            throw unreadable;
          }
        }
      }
    } catch (DirectoryIteratorException ended) {
      throw ended.getCause();
    }
    return seconds;
  }

  /** The scheduler counts nanoseconds where it was built to; else hundredths must do. */
  private static double threadSeconds(Path thread, String stat) throws IOException {
    Path exact = thread.resolve("schedstat");
    if (!Files.isReadable(exact)) {
      return parse(stat);
    }
    String nanos = Files.readString(exact).strip().split(" ", -1)[0];
    return nanos.isEmpty() ? parse(stat) : Long.parseLong(nanos) / 1e9;
  }

  /** Resident memory of a process in bytes. */
  public static long residentBytes(long pid) throws IOException {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmRSS:")) {
        String kib = line.substring("VmRSS:".length()).toLowerCase(Locale.ROOT);
        return Long.parseLong(kib.replace("kb", "").strip()) * KIB;
      }
    }
    throw new IOException("no VmRSS in " + status);
  }

  /**
   * Bytes that a process caused to be written to a device: direct writes when they were made,
   * others when a page became dirty. What the file system's journal writes is not in it.
   */
  public static long writtenBytes(long pid) throws IOException {
    return io(pid, "write_bytes:");
  }

  /** Bytes that a process has read from a device, itself or through pages that it wanted. */
  public static long readBytes(long pid) throws IOException {
    return io(pid, "read_bytes:");
  }

  private static long io(long pid, String name) throws IOException {
    Path io = Path.of("/proc", Long.toString(pid), "io");
    for (String line : Files.readAllLines(io)) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.substring(name.length()).strip());
      }
    }
    throw new IOException("no %s in %s".formatted(name, io));
  }

  /** The time in a {@code stat} line. */
  static double parse(String stat) {
    return parse(stat, USER_FIELD);
  }

  /** User time in a field and system time in the next. */
  private static double parse(String stat, int field) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" +", -1);
    return (Long.parseLong(fields[field]) + Long.parseLong(fields[field + 1])) / TICKS_PER_SECOND;
  }
}
