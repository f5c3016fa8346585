package dev.upcall.io.trace;

/** What is told of every request to a device, in their order, on the dispatcher's thread. */
@FunctionalInterface
public interface TraceSink {
  /** A request was submitted. */
  void record(TraceEntry entry);
}
