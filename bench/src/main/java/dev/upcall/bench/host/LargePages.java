package dev.upcall.bench.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * How much memory lies in large pages. The same code takes up to twice the processor time where its
 * memory lies in small pages that are scattered, as they are on a machine that has been busy for
 * hours; so figures of two runs compare only where this compares.
 *
 * @param processes where the kernel tells about processes and free memory, {@code /proc}
 * @param settings where it tells about large pages, {@code /sys/kernel/mm/transparent_hugepage}
 */
public record LargePages(Path processes, Path settings) {
  /** As this machine's kernel tells. */
  public static final LargePages KERNEL =
      new LargePages(Path.of("/proc"), Path.of("/sys/kernel/mm/transparent_hugepage"));

  private static final String UNKNOWN = "unknown";
  private static final int SMALL_PAGE_BYTES = 4096;
  private static final int KIB = 1024;
  private static final int MIB = 1 << 20;
  private static final long USUAL_BYTES = 2 * MIB;

  /** Behind "Node 0, zone Normal". */
  private static final int FIRST_COUNT_FIELD = 4;

  /** Which processes get large pages. */
  public String mode() {
    String modes = read(settings.resolve("enabled"));
    int begin = modes.indexOf('[');
    int end = modes.indexOf(']');
    return begin < 0 || end < begin ? UNKNOWN : modes.substring(begin + 1, end);
  }

  /** What part of the free memory is in pieces of which a large page can be made. */
  public String freeMemory() {
    long large = bytes(read(settings.resolve("hpage_pmd_size")));
    long small = smallPageBytes();
    double all = 0;
    double whole = 0;
    for (String zone : read(processes.resolve("buddyinfo")).lines().toList()) {
      String[] fields = zone.strip().split("[ ,]+", -1);
      for (int field = FIRST_COUNT_FIELD; field < fields.length; field++) {
        long pieceBytes = small << (field - FIRST_COUNT_FIELD);
        double pieces = Double.parseDouble(fields[field]) * pieceBytes;
        all += pieces;
        whole += pieceBytes >= large ? pieces : 0;
      }
    }
    return all == 0
        ? UNKNOWN
        : String.format(
            Locale.ROOT,
            "%.0f %% in pieces of at least %d KiB, of %.1f GiB",
            100 * whole / all,
            large / KIB,
            all / KIB / MIB);
  }

  /** What part of a process's memory is in large pages; empty where the kernel does not tell. */
  public String of(long pid) {
    String memory = read(processes.resolve(Long.toString(pid)).resolve("smaps_rollup"));
    long resident = kib(memory, "Rss:");
    return resident == 0
        ? ""
        : "%d of %d MiB of its memory in large pages"
            .formatted(kib(memory, "AnonHugePages:") / KIB, resident / KIB);
  }

  /**
   * Has the kernel move memory so that what is free lies together.
   *
   * @return whether this process may
   */
  public boolean compact() {
    try {
      Files.writeString(processes.resolve("sys/vm/compact_memory"), "1");
      return true;
    } catch (IOException forbidden) {
      return false;
    }
  }

  private long smallPageBytes() {
    long kib = kib(read(processes.resolve("self/smaps")), "KernelPageSize:");
    return kib == 0 ? SMALL_PAGE_BYTES : kib * KIB;
  }

  private static long bytes(String number) {
    return number.isBlank() ? USUAL_BYTES : Long.parseLong(number.strip());
  }

  /** The first line of that name; 0 when there is none. */
  private static long kib(String text, String name) {
    List<String> lines = text.lines().filter(line -> line.startsWith(name)).limit(1).toList();
    return lines.isEmpty() ? 0 : Long.parseLong(lines.getFirst().replaceAll("\\D", ""));
  }

  /** A file that is not there, or not for this process to read, tells nothing. */
  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      return "";
    }
  }
}
