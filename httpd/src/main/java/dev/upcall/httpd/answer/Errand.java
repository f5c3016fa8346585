package dev.upcall.httpd.answer;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.fileman.StorePath;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.listing.ListingQuery;
import dev.upcall.httpd.message.Request;
import dev.upcall.httpd.message.RequestTarget;

/** What a request makes a server do: the same for sessions that are machines and for threads. */
public sealed interface Errand {
  /** Answer with a status and no more. */
  record Refuse(Status status) implements Errand {}

  /** Have a page made. */
  record Show(StorePath path) implements Errand {}

  /** Send a file or a page about a directory; see {@link Lookup}. */
  record Read(StorePath path, RequestTarget target) implements Errand {}

  /** Take a file. */
  record Store(StorePath path) implements Errand {}

  /** Delete. */
  record Delete(StorePath path) implements Errand {}

  /**
   * Decides.
   *
   * @param pages whether the site has pages and no files
   * @param changes whether the site can be changed
   */
  static Errand of(Request asked, boolean pages, boolean changes) {
    RequestTarget target = asked.target();
    if (target == null) {
      return new Refuse(Invariants.present(asked.refusal(), "reason of a refusal"));
    }
    return switch (StorePath.parse(target.path())) {
      case Completion.Failed<StorePath> tooLong -> new Refuse(Status.NOT_FOUND);
      case Completion.Done<StorePath>(StorePath path) -> {
        if (pages) {
          yield new Show(path);
        }
        if (asked.change() == null || !changes) {
          yield new Read(path, target);
        }
        if (target.hasParameter(ListingQuery.SNAPSHOT)) {
          yield new Refuse(Status.BAD_REQUEST); // what has been cannot be changed
        }
        yield asked.put() ? new Store(path) : new Delete(path);
      }
    };
  }
}
