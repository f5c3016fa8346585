package dev.upcall.httpd.message;

import dev.upcall.FileInfo;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A coding in which a file may have a neighbour that stands for it. The best one comes first. */
public enum ContentCoding {
  /** Brotli, RFC 7932. */
  BROTLI("br", ".br"),
  /** RFC 8878. */
  ZSTANDARD("zstd", ".zst"),
  /** RFC 1952. */
  GZIP("gzip", ".gz");

  private static final String IDENTITY = "identity";

  private final String token;
  private final String suffix;

  ContentCoding(String token, String suffix) {
    this.token = token;
    this.suffix = suffix;
  }

  /** The value of Content-Encoding. */
  public String token() {
    return token;
  }

  /** Where the neighbour of a file lies; null where no path is so long. */
  public @Nullable StorePath neighbourOf(StorePath file) {
    return StorePath.parse(file + suffix) instanceof Completion.Done<StorePath>(StorePath path)
        ? path
        : null;
  }

  /** Whether a neighbour is not older than what it is to stand for. */
  public static boolean isFresh(FileInfo neighbour, FileInfo file) {
    return neighbour.times().contentChangedNanos() >= file.times().contentChangedNanos();
  }

  /**
   * The codings that an Accept-Encoding field (RFC 9110, section 12.5.3) takes at least as gladly
   * as none, those that it likes best first.
   */
  static List<ContentCoding> accepted(String field) {
    Map<String, Integer> qualities = new TreeMap<>();
    for (String element : field.split(",", -1)) {
      String[] parts = element.split(";", -1);
      String named = parts[0].strip().toLowerCase(Locale.ROOT);
      qualities.putIfAbsent(named.equals("x-gzip") ? "gzip" : named, Acceptance.quality(parts));
    }
    int others = qualities.getOrDefault("*", 0);
    int plain = qualities.getOrDefault(IDENTITY, 0);
    List<ContentCoding> accepted = new ArrayList<>();
    for (ContentCoding each : values()) {
      int quality = qualities.getOrDefault(each.token, others);
      if (quality > 0 && quality >= plain) {
        accepted.add(each);
      }
    }
    accepted.sort(
        Comparator.comparing((ContentCoding each) -> -qualities.getOrDefault(each.token, others)));
    return accepted;
  }
}
