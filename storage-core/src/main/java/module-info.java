/**
 * The store without names. Exported to all is what an embedder meets: completions and ports, the
 * dispatcher and its doors, settings, content, the words of the store. The rest is for the modules
 * of this project only.
 */
@SuppressWarnings("module") // those above are compiled later
module dev.upcall.core {
  requires static transitive org.jspecify;
  requires HdrHistogram;
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.transport;
  requires static io.netty.transport.classes.epoll;
  requires io.netty.transport.classes.io_uring;
  requires jdk.management;

  exports dev.upcall.base;
  exports dev.upcall.completion;
  exports dev.upcall.config;
  exports dev.upcall.content;
  exports dev.upcall.fsm;
  exports dev.upcall.fsm.door;
  exports dev.upcall.fsm.meter;
  exports dev.upcall.fsm.record;
  exports dev.upcall.store;
  exports dev.upcall.access to
      dev.upcall.fileman;
  exports dev.upcall.coding to
      dev.upcall.fileman,
      dev.upcall.metrics,
      dev.upcall.threads;
  exports dev.upcall.buffer to
      dev.upcall.fileman,
      dev.upcall.metrics,
      dev.upcall.threads;
  exports dev.upcall.buffer.replacement to
      dev.upcall.threads;
  exports dev.upcall.fsm.wakeup to
      dev.upcall.fileman,
      dev.upcall.threads;
  exports dev.upcall.io to
      dev.upcall.fileman,
      dev.upcall.httpd,
      dev.upcall.lab,
      dev.upcall.metrics,
      dev.upcall.threads;
  exports dev.upcall.io.schedule to
      dev.upcall.fileman,
      dev.upcall.lab;
  exports dev.upcall.io.seal to
      dev.upcall.fileman,
      dev.upcall.threads;
  exports dev.upcall.io.trace to
      dev.upcall.fileman,
      dev.upcall.lab,
      dev.upcall.metrics,
      dev.upcall.threads;
  exports dev.upcall.io.volume to
      dev.upcall.fileman,
      dev.upcall.httpd,
      dev.upcall.lab,
      dev.upcall.metrics,
      dev.upcall.threads;
  exports dev.upcall.pressure to
      dev.upcall.fileman,
      dev.upcall.metrics,
      dev.upcall.threads;
  exports dev.upcall.segment to
      dev.upcall.fileman,
      dev.upcall.httpd,
      dev.upcall.threads;
  exports dev.upcall.segment.layout to
      dev.upcall.fileman,
      dev.upcall.httpd,
      dev.upcall.threads;
  exports dev.upcall.segment.paging to
      dev.upcall.threads;
  exports dev.upcall.segment.space to
      dev.upcall.threads;
  exports dev.upcall.space to
      dev.upcall.threads;
  exports dev.upcall.tree to
      dev.upcall.fileman,
      dev.upcall.threads;
  exports dev.upcall.txn to
      dev.upcall.fileman,
      dev.upcall.metrics,
      dev.upcall.threads;
  exports dev.upcall.txn.change to
      dev.upcall.threads;
  exports dev.upcall.txn.dedup to
      dev.upcall.fileman;
  exports dev.upcall.txn.engine to
      dev.upcall.fileman,
      dev.upcall.threads;
  exports dev.upcall.txn.lock to
      dev.upcall.fileman,
      dev.upcall.metrics,
      dev.upcall.threads;
  exports dev.upcall.txn.log to
      dev.upcall.metrics,
      dev.upcall.threads;
  exports dev.upcall.txn.metrics to
      dev.upcall.fileman,
      dev.upcall.metrics,
      dev.upcall.threads;
  exports dev.upcall.txn.state to
      dev.upcall.threads;
  exports dev.upcall.txn.volume to
      dev.upcall.fileman,
      dev.upcall.threads;

  uses dev.upcall.content.UnitCodec;
  uses dev.upcall.io.schedule.PolicyProvider;
}
