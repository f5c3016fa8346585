/**
 * A queue of requests in files that processes share, and recordings of what a store did. Knows
 * requests, and opens no store, so that a program can ask one that is down, and look at what one
 * has done.
 */
module dev.upcall.journal {
  requires static transitive org.jspecify;
  requires transitive dev.upcall.fileman;
  requires chronicle.bytes;
  requires chronicle.core;
  requires chronicle.queue;
  requires chronicle.threads;
  requires chronicle.wire;
  requires java.logging;

  exports dev.upcall.journal.entry;
  exports dev.upcall.journal.producer;
  exports dev.upcall.journal.queue;
  exports dev.upcall.journal.recording;
  exports dev.upcall.journal.trace;
}
