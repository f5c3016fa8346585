package dev.upcall.httpd.answer;

import dev.upcall.StorePath;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.listing.ListingQuery;
import dev.upcall.httpd.message.Acceptance;
import dev.upcall.httpd.message.Request;
import dev.upcall.httpd.message.RequestTarget;
import org.jspecify.annotations.Nullable;

/** What GET and HEAD of a path look for in a store, and what they do with what is not a file. */
public final class Lookup {
  private static final String INDEX = "index.html";

  /** What answers in place of a file. */
  public enum Instead {
    /** A page about the directory. */
    LISTING,
    /** A reference to the directory's own path, which ends with a slash. */
    REDIRECT,
    /** The status of the failure. */
    REFUSAL
  }

  private Lookup() {}

  /**
   * Why a target with a snapshot cannot be looked for, or null.
   *
   * @param site whether it has snapshots
   */
  public static @Nullable Refusal refusesSnapshot(RequestTarget target, boolean site) {
    if (!target.hasParameter(ListingQuery.SNAPSHOT)) {
      return null;
    }
    if (target.parameter(ListingQuery.SNAPSHOT) == null) {
      return new Refusal(Status.BAD_REQUEST, "the name of the snapshot cannot be decoded");
    }
    return site ? null : new Refusal(Status.NOT_FOUND, "there are no snapshots here");
  }

  /** Whether a page is wanted without a look for a file: programs want no index page. */
  public static boolean wantsListing(Request asked) {
    return asked.asksForDirectory() && Acceptance.prefersJson(asked.accept());
  }

  /** The file to look for. */
  public static StorePath file(Request asked, StorePath path) {
    return asked.asksForDirectory() ? path.child(INDEX) : path;
  }

  /** What answers when a directory was found where a file was looked for. */
  public static Instead ofDirectory(Request asked) {
    // behind a slash: the index page is itself a directory
    return asked.asksForDirectory() ? Instead.LISTING : Instead.REDIRECT;
  }

  /**
   * What answers when the file could not be opened. An index page whose name leads to no file (a
   * link to nothing, into a file or to itself) is no index page. When it is the directory's own
   * name that leads nowhere, its listing fails in the same way.
   */
  public static Instead of(Request asked, Failure failure) {
    return switch (failure) {
      case Failure.IsADirectory is -> ofDirectory(asked);
      case Failure.NotFound missing when asked.asksForDirectory() -> Instead.LISTING;
      case Failure.NotADirectory missing when asked.asksForDirectory() -> Instead.LISTING;
      case Failure.LinkLoop missing when asked.asksForDirectory() -> Instead.LISTING;
      default -> Instead.REFUSAL;
    };
  }

  /**
   * The answer about a file that could not be opened. A path that the store refuses to open as
   * invalid leads to what has no content, a table.
   */
  public static Refusal refusal(Failure failure) {
    return failure instanceof Failure.Invalid
        ? Refusal.of(Status.CONFLICT, failure)
        : Refusal.of(failure);
  }
}
