package dev.upcall.bench.proxy.finite;

/** A cache that is asked for the requests of a trace, one after the other. */
public interface Cache {
  /** Serves a request; whether its object was there. */
  boolean request(int at);
}
