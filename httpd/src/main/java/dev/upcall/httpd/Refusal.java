package dev.upcall.httpd;

import dev.upcall.completion.Failure;
import java.util.Objects;

/**
 * Why a request does not get what it asks for.
 *
 * @param status what programs read
 * @param sentence for a person, as the command line would say it
 */
public record Refusal(Status status, String sentence) {
  /** One connection too many. */
  public static final Refusal TOO_MANY_CONNECTIONS =
      new Refusal(Status.SERVICE_UNAVAILABLE, "too many connections; try again");

  /** One connection too many of one client. */
  public static final Refusal TOO_MANY_OF_ADDRESS =
      new Refusal(Status.SERVICE_UNAVAILABLE, "too many connections from your address; try again");

  /** One request too many, or in line for too long. */
  public static final Refusal TOO_MANY_REQUESTS =
      new Refusal(Status.SERVICE_UNAVAILABLE, "too many requests at once; try again");

  /** A head that is not whole yet. */
  public static final Refusal LATE_HEAD =
      new Refusal(Status.REQUEST_TIMEOUT, "the head of the request did not come in time");

  /** A body that is not whole yet. */
  public static final Refusal LATE_BODY =
      new Refusal(Status.REQUEST_TIMEOUT, "the body of the request did not come in time");

  /** A body that will never be whole. */
  public static final Refusal CUT_BODY =
      new Refusal(Status.BAD_REQUEST, "the body ends before its length, or without a last chunk");

  /** A body whose framing is broken. */
  public static final Refusal BROKEN_BODY =
      new Refusal(Status.BAD_REQUEST, "the body is not framed as HTTP wants it");

  /** A page of a directory that cannot be meant. */
  public static final Refusal NO_SUCH_PAGE =
      new Refusal(Status.BAD_REQUEST, "the query names no page of a directory");

  /** A page whose order would take a look at too many entries. */
  public static final Refusal TOO_MANY_TO_SORT =
      new Refusal(
          Status.BAD_REQUEST,
          "a directory of more than %,d entries is sorted by name only"
              .formatted(HttpConfig.MAX_LISTING_ENTRIES));

  /** A version of a page was asked for. */
  public static final Refusal PAGE_WITHOUT_VERSION =
      new Refusal(
          Status.PRECONDITION_FAILED, "a page about a directory has no version to hold on to");

  /** Something is to be deleted if it is not there. */
  public static final Refusal DELETE_OF_NOTHING =
      new Refusal(
          Status.PRECONDITION_FAILED, "nothing can be deleted under If-None-Match: * in any case");

  /** The conditions of a read do not hold. */
  public static final Refusal OTHER_VERSION =
      new Refusal(Status.PRECONDITION_FAILED, "the present version is not one that was asked for");

  /** Checks that nothing is missing. */
  public Refusal {
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(sentence, "sentence");
  }

  /**
   * What a client is told of an expected outcome of the store. What went wrong inside, and on which
   * path of the host, is the operator's business, who has it in the metrics, the readiness and from
   * {@code upcall verify}.
   */
  public static Refusal of(Failure failure) {
    Objects.requireNonNull(failure, "failure");
    return of(Status.of(failure), failure);
  }

  /** The same with another status. */
  public static Refusal of(Status status, Failure failure) {
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(failure, "failure");
    return new Refusal(
        status,
        switch (failure) {
          case Failure.Unsupported _ -> "the server cannot read or write such content";
          case Failure.Corrupt _, Failure.Device _ ->
              "the store could not read or write; upcall verify says more";
          case Failure.VolumeFull full ->
              "the store has no room for %d bytes more".formatted(full.neededBytes());
          case Failure.ReadOnly _ -> "the store takes no changes at present";
          case Failure.Closed _ -> "the store is closing; try again";
          case Failure.Cancelled _ -> "the request was given up; try again";
          default -> failure.message();
        });
  }
}
