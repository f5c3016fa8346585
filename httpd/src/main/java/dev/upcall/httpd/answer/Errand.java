package dev.upcall.httpd.answer;

import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.ResumableUploads;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.listing.ListingQuery;
import dev.upcall.httpd.message.Request;
import dev.upcall.httpd.message.RequestTarget;
import dev.upcall.httpd.message.ResumableAsk;

/** What a request makes a server do: the same for sessions that are machines and for threads. */
public sealed interface Errand {
  /** Say why there is no other answer. */
  record Refuse(Refusal refusal) implements Errand {}

  /** Have a page made. */
  record Show(StorePath path) implements Errand {}

  /** Say what may be asked. */
  record Options() implements Errand {}

  /** Send a file or a page about a directory; see {@link Lookup}. */
  record Read(StorePath path, RequestTarget target) implements Errand {}

  /** Take a file. */
  record Store(StorePath path) implements Errand {}

  /** Take a body that says how a file changes. */
  record Patch(StorePath path) implements Errand {}

  /** Take, look at or give up an upload that may come in several requests. */
  record Resume(StorePath path, ResumableAsk ask) implements Errand {}

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
      case Completion.Failed<StorePath>(Failure tooLong) ->
          new Refuse(Refusal.of(asked.put() ? Status.BAD_REQUEST : Status.NOT_FOUND, tooLong));
      case Completion.Done<StorePath>(StorePath path) -> {
        if (pages) {
          yield target.directory() && !path.equals(StorePath.ROOT)
              ? new Refuse(Refusal.of(new Failure.NotFound(path + "/")))
              : new Show(path);
        }
        if (asked.isOptions()) {
          yield new Options();
        }
        if (ResumableUploads.isInPlace(path)) {
          yield new Refuse(Refusal.of(new Failure.NotFound(path.toString())));
        }
        if (asked.upload() != null) {
          yield new Resume(path, asked.upload());
        }
        if (asked.change() == null || !changes) {
          yield new Read(path, target);
        }
        if (target.hasParameter(ListingQuery.SNAPSHOT)) {
          yield new Refuse(
              new Refusal(Status.BAD_REQUEST, "a snapshot is what has been and cannot be changed"));
        }
        if (asked.change().patch() != null) {
          yield new Patch(path);
        }
        yield asked.put() ? new Store(path) : new Delete(path);
      }
    };
  }
}
