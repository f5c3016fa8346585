package dev.upcall.httpd;

import dev.upcall.FileInfo;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.config.Limits;
import dev.upcall.request.Resolved;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Uploads that may be interrupted and resumed, by the draft of the IETF (Resumable Uploads for
 * HTTP, draft-ietf-httpbis-resumable-upload-12), and how many unfinished ones there may be.
 *
 * <p>Each of them is a file of the store below {@link #PLACE}, where nobody reads or lists it, and
 * which expires by itself. So what a server has acknowledged of it outlives the server.
 *
 * @param max unfinished uploads in all
 * @param maxOfClient unfinished uploads that were begun from one address
 * @param maxBytes of all unfinished uploads together, of each its length if that is known
 * @param pieceBytes of a body become a part of an upload as one; fewer where the client is slow
 * @param maxAge after which one that was begun is gone
 * @param random for the names of uploads, which nobody should guess; used by any thread
 */
public record ResumableUploads(
    int max,
    int maxOfClient,
    long maxBytes,
    int pieceBytes,
    Duration maxAge,
    RandomGenerator random) {
  /** The version of the draft, as clients and servers tell it to each other. */
  public static final int INTEROP_VERSION = 8;

  /** The directory of unfinished uploads. */
  public static final StorePath PLACE = StorePath.of("/.upcall-uploads");

  /** Checks the limits. */
  public ResumableUploads {
    // All of them are looked at with one request of the store when one more is begun. Pieces of
    // bodies that have come lie in the same place.
    Limits.within("resumable.max", max, 1, Listing.MAX_ENTRIES / 2);
    Limits.within("resumable.maxOfClient", maxOfClient, 1, Listing.MAX_ENTRIES / 2);
    Limits.atLeast("resumable.maxBytes", maxBytes, 0);
    Limits.within("resumable.pieceBytes", pieceBytes, 1, 1 << 30);
    long ageNanos = Limits.nanos(Objects.requireNonNull(maxAge, "maxAge"));
    Limits.within("resumable.maxAge in nanoseconds", ageNanos, 1, Long.MAX_VALUE / 2);
    Objects.requireNonNull(random, "random");
  }

  /**
   * 1,000 of them, of one address 100, with 1 TiB together, in pieces of 16 MiB, for two days.
   *
   * @param random which nobody should be able to guess, such as {@code SecureRandom}
   */
  public static ResumableUploads of(RandomGenerator random) {
    return new ResumableUploads(1000, 100, 1L << 40, 16 << 20, Duration.ofDays(2), random);
  }

  /**
   * How many entries of a directory are asked for, so that as many as were wanted can be shown.
   *
   * @param directory by a path that no link is on; see {@link #itself}
   */
  public static int limit(StorePath directory, int wanted) {
    boolean oneMore = holdsPlace(directory) && wanted > 0 && wanted < Listing.MAX_ENTRIES;
    return oneMore ? wanted + 1 : wanted;
  }

  private static boolean holdsPlace(StorePath directory) {
    return Objects.requireNonNull(directory, "directory").isRoot();
  }

  /** A page without the directory of unfinished uploads. */
  public static SitePage shown(StorePath directory, int wanted, SitePage all) {
    Objects.requireNonNull(all, "all");
    Limits.atLeast("wanted", wanted, 0);
    if (!holdsPlace(directory)) {
      return all;
    }
    List<SitePage.Entry> others =
        all.entries().stream().filter(entry -> !entry.name().equals(PLACE.lastName())).toList();
    if (others.size() <= wanted) {
      return new SitePage(others, all.nextAfter());
    }
    List<SitePage.Entry> shown = others.subList(0, wanted);
    return new SitePage(shown, Optional.of(shown.getLast().name()));
  }

  /** Names without that of the directory of unfinished uploads. */
  public static Listing.Names shown(StorePath directory, int wanted, Listing.Names all) {
    Objects.requireNonNull(all, "all");
    Limits.atLeast("wanted", wanted, 0);
    if (!holdsPlace(directory)) {
      return all;
    }
    List<String> others =
        all.names().stream().filter(name -> !name.equals(PLACE.lastName())).toList();
    List<String> shown = others.subList(0, Math.min(wanted, others.size()));
    return new Listing.Names(shown, all.hasMore() || shown.size() < others.size());
  }

  /** Where a path leads; {@code NotFound} where links lead to unfinished uploads. */
  public static Completion<Resolved> outside(StorePath path, Completion<Resolved> found) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(found, "found");
    return found instanceof Completion.Done<Resolved>(Resolved way) && isAmong(way.led())
        ? missing(path)
        : found;
  }

  /** There is nothing at a path that leads to unfinished uploads. */
  static <T> Completion<T> missing(StorePath path) {
    return Completion.failed(new Failure.NotFound(path.toString()));
  }

  /**
   * The path of a directory that no link is on, where one leads there; else the path itself.
   *
   * @param way where it leads
   */
  public static StorePath itself(StorePath directory, Resolved way) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(way, "way");
    boolean leads = !way.led().isEmpty() && way.info().filter(FileInfo::isDirectory).isPresent();
    return leads ? way.led().getLast() : directory;
  }

  /** Whether one of the places to which links have led is among unfinished uploads. */
  static boolean isAmong(List<StorePath> led) {
    return !led.isEmpty() && led.stream().anyMatch(ResumableUploads::isInPlace);
  }

  /** Whether a path leads to unfinished uploads, which have no path for clients. */
  public static boolean isInPlace(StorePath path) {
    Objects.requireNonNull(path, "path");
    return path.names().size() > 0 && path.names().getFirst().equals(PLACE.lastName());
  }
}
