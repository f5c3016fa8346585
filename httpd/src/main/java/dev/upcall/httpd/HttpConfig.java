package dev.upcall.httpd;

import dev.upcall.config.Limits;
import java.time.Duration;
import java.util.Objects;

/**
 * Every limit of the HTTP server, checked when it is made. Take {@link #defaults} and change what
 * should be otherwise: {@code HttpConfig.defaults().withWritable(true)}.
 *
 * @param connections how many clients, and what one read of a socket may bring
 * @param requests how large a request may be, and whether it may change anything
 * @param responses how much of what is sent may be held, and how long a listing is
 * @param admission how many requests may be inside the store
 * @param timeouts when to give up waiting
 * @param policy which requests are answered at all
 */
public record HttpConfig(
    Connections connections,
    Requests requests,
    Responses responses,
    Admission admission,
    Timeouts timeouts,
    HttpPolicy policy) {

  /** The part of a store's memory that responses may hold. */
  private static final int MEMORY_DIVISOR = 4;

  /** The part of a store's off-heap memory, three quarters of all, for which it takes an upload. */
  private static final int UPLOAD_BYTES = 256 << 10;

  /**
   * The largest piece of content that is leased as one where sessions are on the store's thread;
   * those of HTTP threads ask for many such pieces at once.
   */
  public static final int SLICE_BYTES = 64 << 10;

  /** The most entries of a directory that one page has, however many a client asks for. */
  public static final int MAX_LISTING_ENTRIES = 10_000;

  /** The largest body of a PATCH, which is held in memory. */
  public static final int MAX_PATCH_BYTES = 1 << 20;

  /** The most threads that sessions may have. */
  public static final int MAX_THREADS = 64;

  /** Checks that nothing is missing. */
  public HttpConfig {
    Objects.requireNonNull(connections, "connections");
    Objects.requireNonNull(requests, "requests");
    Objects.requireNonNull(responses, "responses");
    Objects.requireNonNull(admission, "admission");
    Objects.requireNonNull(timeouts, "timeouts");
    Objects.requireNonNull(policy, "policy");
  }

  /**
   * How many clients there may be.
   *
   * @param max sessions at once; a connection above it is answered 503 and closed
   * @param backlog connections that the kernel may hold before they are accepted
   * @param receiveBufferBytes how much one read of a socket may bring, of which there is one in a
   *     turn; a session holds less than two of them of requests that wait behind the one being
   *     answered
   * @param maxOfAddress of them from one address; one above that is answered 503 and closed
   * @param threads how many share them, each a dispatcher of its own; with 1 they are the store's
   */
  public record Connections(
      int max, int backlog, int receiveBufferBytes, int maxOfAddress, int threads) {
    /** For some thousand connections, of which one address may have a quarter. */
    public static final Connections DEFAULT = new Connections(16_384, 1024, 16 << 10, 4096, 1);

    /** Checks each limit. */
    public Connections {
      Limits.within("connections.max", max, 1, 1 << 24);
      Limits.within("connections.backlog", backlog, 1, 1 << 16);
      Limits.within("connections.receiveBufferBytes", receiveBufferBytes, 64, 1 << 20);
      Limits.within("connections.maxOfAddress", maxOfAddress, 1, 1 << 24);
      Limits.within("connections.threads", threads, 1, MAX_THREADS);
    }
  }

  /**
   * What a client may ask for.
   *
   * @param writable whether PUT, PATCH and DELETE change what is served; else they are answered 405
   * @param maxLineBytes a longer request line is answered 414
   * @param maxHeaderBytes a larger header section is answered 431
   * @param maxBodyBytes a larger body of a PUT is answered 413
   * @param maxDiscardedBodyBytes a request body that nobody wants is read and thrown away up to
   *     this size; behind a larger one the connection is closed
   */
  public record Requests(
      boolean writable,
      int maxLineBytes,
      int maxHeaderBytes,
      long maxBodyBytes,
      int maxDiscardedBodyBytes) {
    /** Of readers; a body that PUT may have where it is allowed is up to 1 TiB. */
    public static final Requests DEFAULT = new Requests(false, 8192, 16_384, 1L << 40, 64 << 10);

    /** Checks each limit. */
    public Requests {
      Limits.within("requests.maxLineBytes", maxLineBytes, 64, 1 << 20);
      Limits.within("requests.maxHeaderBytes", maxHeaderBytes, 64, 1 << 20);
      Limits.atLeast("requests.maxBodyBytes", maxBodyBytes, 0);
      Limits.within("requests.maxDiscardedBodyBytes", maxDiscardedBodyBytes, 0, 1 << 30);
    }
  }

  /**
   * What is held of what is sent.
   *
   * @param sendHighBytes bytes of responses that one connection may hold leased or queued
   * @param sendLowBytes below or at this more is read from the store and the next pipelined request
   *     is taken
   * @param contentBytes as {@code sendHighBytes}, of files' content and while all connections
   *     together hold less than half of what they may
   * @param maxLeasedBytes bytes of responses that all connections may hold together; well below the
   *     memory of the store
   * @param listingPageEntries entries of a directory on one page, unless a client asks for fewer or
   *     for more
   */
  public record Responses(
      int sendHighBytes,
      int sendLowBytes,
      int contentBytes,
      long maxLeasedBytes,
      int listingPageEntries) {
    /** 128 KiB for each client, of content a slice more than 1 MiB; 64 MiB for all. */
    public static final Responses DEFAULT =
        new Responses(128 << 10, 64 << 10, (1 << 20) + SLICE_BYTES, 64L << 20, 1000);

    /** Checks each limit and the relation between them. */
    public Responses {
      Limits.within("responses.sendLowBytes", sendLowBytes, 1, 1 << 29);
      Limits.within("responses.sendHighBytes", sendHighBytes, 1, 1 << 30);
      Limits.within("responses.contentBytes", contentBytes, sendHighBytes, 1 << 30);
      Limits.atLeast("responses.maxLeasedBytes", maxLeasedBytes, 1);
      Limits.within("responses.listingPageEntries", listingPageEntries, 1, 1 << 20);
      Limits.require(
          sendHighBytes >= sendLowBytes + SLICE_BYTES,
          "responses.sendHighBytes must hold a slice of "
              + SLICE_BYTES
              + " bytes above sendLowBytes");
    }
  }

  /**
   * How many requests may be inside the store at once.
   *
   * @param maxInside further ones wait in line; 0 for no limit. Only where sessions are machines
   * @param maxUploadsOfAddress uploads under way for clients of one address; further ones wait in
   *     line, too; 0 for no limit
   * @param maxWaiting how many may wait; who comes then is answered 503
   * @param waitNanos how long; then they are answered 503
   */
  public record Admission(int maxInside, int maxUploadsOfAddress, int maxWaiting, long waitNanos) {
    /** No limit. */
    public static final Admission OPEN = of(0);

    /** Checks that all are possible. */
    public Admission {
      Limits.within("admission.maxInside", maxInside, 0, 1 << 24);
      Limits.within("admission.maxUploadsOfAddress", maxUploadsOfAddress, 0, 1 << 24);
      Limits.within("admission.maxWaiting", maxWaiting, 1, 1 << 24);
      Limits.within("admission.waitNanos", waitNanos, 1, Long.MAX_VALUE / 2);
    }

    /** As many as connections may wait, for ten seconds. */
    public static Admission of(int maxInside) {
      return new Admission(maxInside, 0, 16_384, Duration.ofSeconds(10).toNanos());
    }

    /** The same with another number of uploads for one address. */
    public Admission withMaxUploadsOfAddress(int max) {
      return new Admission(maxInside, max, maxWaiting, waitNanos);
    }

    /** The same with another time in line. */
    public Admission withWait(Duration longest) {
      return new Admission(
          maxInside,
          maxUploadsOfAddress,
          maxWaiting,
          Limits.nanos(Objects.requireNonNull(longest, "longest")));
    }

    /** What bounds the uploads of one address. */
    public Admission ofUploads() {
      return new Admission(maxUploadsOfAddress, 0, maxWaiting, waitNanos);
    }

    /** Whether there is a limit. */
    public boolean isOn() {
      return maxInside > 0;
    }
  }

  /**
   * When to give up waiting, in nanoseconds.
   *
   * @param receiving for a client that should send
   * @param sending for a client that should take
   * @param drainNanos for responses and uploads under way when the server closes; then they are cut
   *     off
   * @param sweepNanos how often all sessions are looked at; the precision of the others
   */
  public record Timeouts(Receiving receiving, Sending sending, long drainNanos, long sweepNanos) {
    /** Half a minute for most. */
    public static final Timeouts DEFAULT =
        new Timeouts(
            new Receiving(
                Duration.ofSeconds(75).toNanos(),
                Duration.ofSeconds(30).toNanos(),
                Duration.ofSeconds(30).toNanos(),
                Duration.ofHours(6).toNanos()),
            new Sending(
                Duration.ofSeconds(60).toNanos(),
                Duration.ofSeconds(5).toNanos(),
                Duration.ofSeconds(2).toNanos()),
            Duration.ofSeconds(30).toNanos(),
            Duration.ofSeconds(1).toNanos());

    /** Checks that all are possible. */
    public Timeouts {
      Objects.requireNonNull(receiving, "receiving");
      Objects.requireNonNull(sending, "sending");
      Limits.atLeast("timeouts.drainNanos", drainNanos, 0);
      Limits.atLeast("timeouts.sweepNanos", sweepNanos, 1);
    }
  }

  /**
   * How long a client may take to send.
   *
   * @param idleNanos until the first byte of a request
   * @param headNanos for the rest of a request's head, from its first byte on; answered 408
   * @param bodyIdleNanos until more of a request's body; answered 408
   * @param bodyNanos for the whole of a request's body; answered 408
   */
  public record Receiving(long idleNanos, long headNanos, long bodyIdleNanos, long bodyNanos) {
    /** Checks that all are positive. */
    public Receiving {
      Limits.atLeast("timeouts.receiving.idleNanos", idleNanos, 1);
      Limits.atLeast("timeouts.receiving.headNanos", headNanos, 1);
      Limits.atLeast("timeouts.receiving.bodyIdleNanos", bodyIdleNanos, 1);
      Limits.atLeast("timeouts.receiving.bodyNanos", bodyNanos, 1);
    }
  }

  /**
   * How long a client may take to take what is sent to it.
   *
   * @param stuckNanos until it takes at least something of what waits for it
   * @param pressedNanos the same while others wait for what this client holds ({@link
   *     Responses#maxLeasedBytes})
   * @param lingerNanos until it closes after the last response
   */
  public record Sending(long stuckNanos, long pressedNanos, long lingerNanos) {
    /** Checks that all are positive. */
    public Sending {
      Limits.atLeast("timeouts.sending.stuckNanos", stuckNanos, 1);
      Limits.atLeast("timeouts.sending.pressedNanos", pressedNanos, 1);
      Limits.atLeast("timeouts.sending.lingerNanos", lingerNanos, 1);
    }
  }

  /** Limits for a server of some thousand connections. */
  public static HttpConfig defaults() {
    return new HttpConfig(
        Connections.DEFAULT,
        Requests.DEFAULT,
        Responses.DEFAULT,
        Admission.OPEN,
        Timeouts.DEFAULT,
        HttpPolicy.OPEN);
  }

  /** The same limits for a server that may or may not change what it serves. */
  public HttpConfig withWritable(boolean changes) {
    return withRequests(
        new Requests(
            changes,
            requests.maxLineBytes,
            requests.maxHeaderBytes,
            requests.maxBodyBytes,
            requests.maxDiscardedBodyBytes));
  }

  /** The same limits with another size of the largest body of a PUT. */
  public HttpConfig withMaxBodyBytes(long bytes) {
    return withRequests(
        new Requests(
            requests.writable,
            requests.maxLineBytes,
            requests.maxHeaderBytes,
            bytes,
            requests.maxDiscardedBodyBytes));
  }

  /** The same limits with another number of connections. */
  public HttpConfig withMaxConnections(int max) {
    return withConnections(
        new Connections(
            max,
            connections.backlog,
            connections.receiveBufferBytes,
            connections.maxOfAddress,
            connections.threads));
  }

  /** The same limits with another number of connections from one address. */
  public HttpConfig withMaxConnectionsOfAddress(int max) {
    return withConnections(
        new Connections(
            connections.max,
            connections.backlog,
            connections.receiveBufferBytes,
            max,
            connections.threads));
  }

  /** The same limits, shared by so many threads. */
  public HttpConfig withThreads(int threads) {
    return withConnections(
        new Connections(
            connections.max,
            connections.backlog,
            connections.receiveBufferBytes,
            connections.maxOfAddress,
            threads));
  }

  /**
   * The limits of one of its threads: its part of what all together may have, rounded up. The
   * kernel gives connections out by chance, so that one may be at its limit before the others are.
   */
  public HttpConfig ofOneThread() {
    int threads = connections.threads;
    Admission less =
        new Admission(
            Math.ceilDiv(admission.maxInside, threads),
            Math.ceilDiv(admission.maxUploadsOfAddress, threads),
            Math.ceilDiv(admission.maxWaiting, threads),
            admission.waitNanos);
    return withConnections(
            new Connections(
                Math.ceilDiv(connections.max, threads),
                Math.ceilDiv(connections.backlog, threads),
                connections.receiveBufferBytes,
                Math.ceilDiv(connections.maxOfAddress, threads),
                1))
        .withAdmission(less)
        .withMaxLeasedBytes(Math.ceilDiv(responses.maxLeasedBytes, threads));
  }

  /** The same limits with another number of bytes that all connections hold together. */
  public HttpConfig withMaxLeasedBytes(long bytes) {
    return withResponses(
        new Responses(
            responses.sendHighBytes,
            responses.sendLowBytes,
            responses.contentBytes,
            bytes,
            responses.listingPageEntries));
  }

  /**
   * The same limits over a store with so much memory: all connections hold a quarter at most, and
   * unless there is a limit already, one address may have half of the uploads that it takes.
   */
  public HttpConfig withinMemory(long memoryBytes) {
    Limits.atLeast("memoryBytes", memoryBytes, MEMORY_DIVISOR);
    HttpConfig less =
        withMaxLeasedBytes(Math.min(responses.maxLeasedBytes, memoryBytes / MEMORY_DIVISOR));
    long half = Math.clamp(memoryBytes / 4 * 3 / UPLOAD_BYTES / 2, 1, 1 << 24);
    return admission.maxUploadsOfAddress > 0
        ? less
        : less.withAdmission(admission.withMaxUploadsOfAddress((int) half));
  }

  /** The same limits with another size of directory pages. */
  public HttpConfig withListingPageEntries(int entries) {
    return withResponses(
        new Responses(
            responses.sendHighBytes,
            responses.sendLowBytes,
            responses.contentBytes,
            responses.maxLeasedBytes,
            entries));
  }

  /** The same limits of everything but connections. */
  public HttpConfig withConnections(Connections others) {
    return new HttpConfig(others, requests, responses, admission, timeouts, policy);
  }

  /** The same limits of everything but requests. */
  public HttpConfig withRequests(Requests others) {
    return new HttpConfig(connections, others, responses, admission, timeouts, policy);
  }

  /** The same limits of everything but responses. */
  public HttpConfig withResponses(Responses others) {
    return new HttpConfig(connections, requests, others, admission, timeouts, policy);
  }

  /** The same limits with another number of requests inside the store. */
  public HttpConfig withAdmission(Admission other) {
    return new HttpConfig(connections, requests, responses, other, timeouts, policy);
  }

  /** The same limits with another time for what is under way when the server closes. */
  public HttpConfig withDrainNanos(long nanos) {
    return withTimeouts(
        new Timeouts(timeouts.receiving, timeouts.sending, nanos, timeouts.sweepNanos));
  }

  /** The same limits with other timeouts. */
  public HttpConfig withTimeouts(Timeouts others) {
    return new HttpConfig(connections, requests, responses, admission, others, policy);
  }

  /** The same limits with other answers to the question which requests are answered. */
  public HttpConfig withPolicy(HttpPolicy other) {
    return new HttpConfig(
        connections,
        requests,
        responses,
        admission,
        timeouts,
        Objects.requireNonNull(other, "other"));
  }
}
