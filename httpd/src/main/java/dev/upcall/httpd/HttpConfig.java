package dev.upcall.httpd;

import dev.upcall.fsm.Limits;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Every limit of the HTTP server, checked when it is made.
 *
 * @param maxConnections sessions at once; a connection above it is answered 503 and closed
 * @param backlog connections that the kernel may hold before they are accepted
 * @param maxRequestLineBytes a longer request line is answered 414
 * @param maxHeaderBytes a larger header section is answered 431
 * @param writable whether PUT and DELETE change what is served; else they are answered 405
 * @param maxBodyBytes a larger body of a PUT is answered 413
 * @param maxDiscardedBodyBytes a request body that nobody wants is read and thrown away up to this
 *     size; behind a larger one the connection is closed
 * @param receiveBufferBytes how much one read of a socket may bring; a session holds at most {@link
 *     #RECEIVES_PER_TURN} of them of requests that wait behind the one being answered
 * @param sendHighBytes bytes of responses that one connection may hold leased or queued
 * @param sendLowBytes below or at this more is read from the store and the next pipelined request
 *     is taken
 * @param maxLeasedBytes bytes of responses that all connections may hold together; well below the
 *     memory of the store
 * @param listingPageEntries entries of a directory on one page, unless a client asks for fewer or
 *     for more
 * @param admission how many requests may be inside the store
 * @param timeouts when to give up waiting
 */
public record HttpConfig(
    boolean writable,
    long maxBodyBytes,
    int maxConnections,
    int backlog,
    int maxRequestLineBytes,
    int maxHeaderBytes,
    int maxDiscardedBodyBytes,
    int receiveBufferBytes,
    int sendHighBytes,
    int sendLowBytes,
    long maxLeasedBytes,
    int listingPageEntries,
    Admission admission,
    Timeouts timeouts) {

  /** Reads of one socket in one turn. */
  public static final int RECEIVES_PER_TURN = 4;

  /** The part of a store's memory that responses may hold. */
  private static final int MEMORY_DIVISOR = 4;

  /** The largest piece of content that is leased and sent as one. */
  public static final int SLICE_BYTES = 64 << 10;

  /** The most entries of a directory that one page has, however many a client asks for. */
  public static final int MAX_LISTING_ENTRIES = 10_000;

  /**
   * How many requests may be inside the store at once. Only where sessions are machines.
   *
   * @param maxInside further ones wait in line; 0 for no limit
   * @param maxWaiting how many may wait; who comes then is answered 503
   * @param waitNanos how long; then they are answered 503
   */
  public record Admission(int maxInside, int maxWaiting, long waitNanos) {
    /** No limit. */
    public static final Admission OPEN = of(0);

    /** Checks that all are possible. */
    public Admission {
      Limits.within("maxInside", maxInside, 0, 1 << 24);
      Limits.within("maxWaiting", maxWaiting, 1, 1 << 24);
      Limits.atLeast("waitNanos", waitNanos, 1);
    }

    /** As many as connections may wait, for ten seconds. */
    public static Admission of(int maxInside) {
      return new Admission(maxInside, 16_384, Duration.ofSeconds(10).toNanos());
    }

    /** Whether there is a limit. */
    public boolean isOn() {
      return maxInside > 0;
    }
  }

  /**
   * When to give up waiting, in nanoseconds.
   *
   * @param idleNanos for the first byte of a request
   * @param headNanos for the rest of a request's head, from its first byte on; answered 408
   * @param bodyIdleNanos for more of a request's body; answered 408
   * @param bodyNanos for the whole of a request's body; answered 408
   * @param sendNanos for a client to take at least something of what waits for it
   * @param pressedNanos the same while others wait for what this client holds ({@code
   *     maxLeasedBytes})
   * @param lingerNanos for a client to close after the last response
   * @param drainNanos for responses under way when the server closes
   * @param sweepNanos how often all sessions are looked at; the precision of the others
   */
  public record Timeouts(
      long idleNanos,
      long headNanos,
      long bodyIdleNanos,
      long bodyNanos,
      long sendNanos,
      long pressedNanos,
      long lingerNanos,
      long drainNanos,
      long sweepNanos) {
    /** Checks that all are positive. */
    public Timeouts {
      Limits.atLeast("idleNanos", idleNanos, 1);
      Limits.atLeast("headNanos", headNanos, 1);
      Limits.atLeast("bodyIdleNanos", bodyIdleNanos, 1);
      Limits.atLeast("bodyNanos", bodyNanos, 1);
      Limits.atLeast("sendNanos", sendNanos, 1);
      Limits.atLeast("pressedNanos", pressedNanos, 1);
      Limits.atLeast("lingerNanos", lingerNanos, 1);
      Limits.atLeast("drainNanos", drainNanos, 0);
      Limits.atLeast("sweepNanos", sweepNanos, 1);
    }
  }

  /** Checks each limit and the relations between them. */
  public HttpConfig {
    Limits.within("maxConnections", maxConnections, 1, 1 << 24);
    Limits.within("backlog", backlog, 1, 1 << 16);
    Limits.within("maxRequestLineBytes", maxRequestLineBytes, 64, 1 << 20);
    Limits.within("maxHeaderBytes", maxHeaderBytes, 64, 1 << 20);
    Limits.atLeast("maxBodyBytes", maxBodyBytes, 0);
    Limits.within("maxDiscardedBodyBytes", maxDiscardedBodyBytes, 0, 1 << 30);
    Limits.within("receiveBufferBytes", receiveBufferBytes, 64, 1 << 20);
    Limits.within("sendLowBytes", sendLowBytes, 1, 1 << 29);
    Limits.within("sendHighBytes", sendHighBytes, 1, 1 << 30);
    Limits.atLeast("maxLeasedBytes", maxLeasedBytes, 1);
    Limits.within("listingPageEntries", listingPageEntries, 1, 1 << 20);
    Limits.require(
        sendHighBytes >= sendLowBytes + SLICE_BYTES,
        "sendHighBytes must hold a slice of " + SLICE_BYTES + " bytes above sendLowBytes");
  }

  /** Limits for a server of some thousand connections. */
  public static HttpConfig defaults() {
    Timeouts timeouts =
        new Timeouts(
            Duration.ofSeconds(75).toNanos(),
            Duration.ofSeconds(30).toNanos(),
            Duration.ofSeconds(30).toNanos(),
            Duration.ofHours(6).toNanos(),
            Duration.ofSeconds(60).toNanos(),
            Duration.ofSeconds(5).toNanos(),
            Duration.ofSeconds(2).toNanos(),
            Duration.ofSeconds(10).toNanos(),
            Duration.ofSeconds(1).toNanos());
    return new HttpConfig(
        false,
        1L << 40,
        16_384,
        1024,
        8192,
        16_384,
        64 << 10,
        16 << 10,
        128 << 10,
        64 << 10,
        64L << 20,
        1000,
        Admission.OPEN,
        timeouts);
  }

  /** The same limits for a server that may or may not change what it serves. */
  public HttpConfig withWritable(boolean changes) {
    return withWriting(changes, maxBodyBytes);
  }

  /** The same limits with another size of the largest body of a PUT. */
  public HttpConfig withMaxBodyBytes(long bytes) {
    return withWriting(writable, bytes);
  }

  private HttpConfig withWriting(boolean changes, long bodyBytes) {
    return new HttpConfig(
        changes,
        bodyBytes,
        maxConnections,
        backlog,
        maxRequestLineBytes,
        maxHeaderBytes,
        maxDiscardedBodyBytes,
        receiveBufferBytes,
        sendHighBytes,
        sendLowBytes,
        maxLeasedBytes,
        listingPageEntries,
        admission,
        timeouts);
  }

  /** The same limits with another number of connections. */
  public HttpConfig withMaxConnections(int connections) {
    return new HttpConfig(
        writable,
        maxBodyBytes,
        connections,
        backlog,
        maxRequestLineBytes,
        maxHeaderBytes,
        maxDiscardedBodyBytes,
        receiveBufferBytes,
        sendHighBytes,
        sendLowBytes,
        maxLeasedBytes,
        listingPageEntries,
        admission,
        timeouts);
  }

  /** The same limits with another number of bytes that all connections hold together. */
  public HttpConfig withMaxLeasedBytes(long bytes) {
    return new HttpConfig(
        writable,
        maxBodyBytes,
        maxConnections,
        backlog,
        maxRequestLineBytes,
        maxHeaderBytes,
        maxDiscardedBodyBytes,
        receiveBufferBytes,
        sendHighBytes,
        sendLowBytes,
        bytes,
        listingPageEntries,
        admission,
        timeouts);
  }

  /** The same limits over a store with so much memory: all connections hold a quarter at most. */
  public HttpConfig withinMemory(long memoryBytes) {
    return withMaxLeasedBytes(Math.min(maxLeasedBytes, memoryBytes / MEMORY_DIVISOR));
  }

  /** All settings by name, in a fixed order. */
  public Map<String, Object> describe() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("writable", writable);
    all.put("maxBodyBytes", maxBodyBytes);
    all.put("maxConnections", maxConnections);
    all.put("backlog", backlog);
    all.put("maxRequestLineBytes", maxRequestLineBytes);
    all.put("maxHeaderBytes", maxHeaderBytes);
    all.put("maxDiscardedBodyBytes", maxDiscardedBodyBytes);
    all.put("receiveBufferBytes", receiveBufferBytes);
    all.put("sendHighBytes", sendHighBytes);
    all.put("sendLowBytes", sendLowBytes);
    all.put("maxLeasedBytes", maxLeasedBytes);
    all.put("listingPageEntries", listingPageEntries);
    all.put("admission.maxInside", admission.maxInside());
    all.put("admission.maxWaiting", admission.maxWaiting());
    all.put("admission.waitNanos", admission.waitNanos());
    all.put("timeouts.idleNanos", timeouts.idleNanos());
    all.put("timeouts.headNanos", timeouts.headNanos());
    all.put("timeouts.bodyIdleNanos", timeouts.bodyIdleNanos());
    all.put("timeouts.bodyNanos", timeouts.bodyNanos());
    all.put("timeouts.sendNanos", timeouts.sendNanos());
    all.put("timeouts.pressedNanos", timeouts.pressedNanos());
    all.put("timeouts.lingerNanos", timeouts.lingerNanos());
    all.put("timeouts.drainNanos", timeouts.drainNanos());
    all.put("timeouts.sweepNanos", timeouts.sweepNanos());
    return all;
  }

  /** The same limits with another size of directory pages. */
  public HttpConfig withListingPageEntries(int entries) {
    return new HttpConfig(
        writable,
        maxBodyBytes,
        maxConnections,
        backlog,
        maxRequestLineBytes,
        maxHeaderBytes,
        maxDiscardedBodyBytes,
        receiveBufferBytes,
        sendHighBytes,
        sendLowBytes,
        maxLeasedBytes,
        entries,
        admission,
        timeouts);
  }

  /** The same limits with another number of requests inside the store. */
  public HttpConfig withAdmission(Admission other) {
    return new HttpConfig(
        writable,
        maxBodyBytes,
        maxConnections,
        backlog,
        maxRequestLineBytes,
        maxHeaderBytes,
        maxDiscardedBodyBytes,
        receiveBufferBytes,
        sendHighBytes,
        sendLowBytes,
        maxLeasedBytes,
        listingPageEntries,
        other,
        timeouts);
  }

  /** The same limits with other timeouts. */
  public HttpConfig withTimeouts(Timeouts others) {
    return new HttpConfig(
        writable,
        maxBodyBytes,
        maxConnections,
        backlog,
        maxRequestLineBytes,
        maxHeaderBytes,
        maxDiscardedBodyBytes,
        receiveBufferBytes,
        sendHighBytes,
        sendLowBytes,
        maxLeasedBytes,
        listingPageEntries,
        admission,
        others);
  }
}
