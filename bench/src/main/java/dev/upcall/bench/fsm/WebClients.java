package dev.upcall.bench.fsm;

/** How clients come to a web server. */
enum WebClients {
  /** A connection for each request, and up to 32 threads of clients. */
  MANY_THREADS,

  /** A connection for each request, and one thread for all clients. */
  ONE_THREAD,

  /** A connection for each client, which keeps it, and one thread for all clients. */
  KEPT;

  private static final int MOST_THREADS = 32;

  /** Threads of the load for a number of clients. */
  int threads(int clients) {
    return this == MANY_THREADS ? Math.min(clients, MOST_THREADS) : 1;
  }

  /** What is asked for on a connection; 0 for no end. */
  int requestsPerConnection() {
    return this == KEPT ? 0 : 1;
  }
}
