package dev.upcall.httpd;

import java.util.List;

/** A server over files in memory, and a client that sends requests and reads all answers. */
public interface HttpWorld extends AutoCloseable {
  /** What is served; changed only while nothing is asked. */
  MemorySite site();

  /** What a client gets for these bytes, after which it sends no more. */
  default List<Responses.Response> exchange(String latin1) {
    return exchange(latin1, Integer.MAX_VALUE);
  }

  /** The same when the bytes come in fragments of at most so many. */
  List<Responses.Response> exchange(String latin1, int largestFragment);

  /** Counts as they are now. */
  HttpMetrics metrics();

  /** Answers of the site take up to so long, where time is simulated. */
  void slowSite(int nanos);

  /** Ends the server and checks that nothing is left. */
  @Override
  void close();
}
