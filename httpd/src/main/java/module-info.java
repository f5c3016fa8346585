/** An HTTP server over a store, for programs that embed one. */
@SuppressWarnings("module") // the module above is compiled later
module dev.upcall.httpd {
  requires static transitive org.jspecify;
  requires transitive dev.upcall.fileman;
  requires com.fasterxml.jackson.core;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.http;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires io.netty.transport.classes.io_uring;
  requires io.netty.transport.unix.common;

  exports dev.upcall.httpd;
  exports dev.upcall.httpd.log;
  exports dev.upcall.httpd.server;
  exports dev.upcall.httpd.web;
  exports dev.upcall.httpd.answer to
      dev.upcall.threads;
  exports dev.upcall.httpd.files to
      dev.upcall.threads;
  exports dev.upcall.httpd.listing to
      dev.upcall.threads;
  exports dev.upcall.httpd.message to
      dev.upcall.threads;
}
