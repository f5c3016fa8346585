package dev.upcall.httpd;

import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.config.Limits;
import java.time.Duration;
import java.util.Objects;
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

  /** Whether a path leads to unfinished uploads, which have no path for clients. */
  public static boolean isInPlace(StorePath path) {
    Objects.requireNonNull(path, "path");
    return path.names().size() > 0 && path.names().getFirst().equals(PLACE.lastName());
  }
}
