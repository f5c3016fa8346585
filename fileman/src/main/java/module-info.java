/** Files with names in a store: what a program names that embeds one. */
@SuppressWarnings("module") // those above are compiled later
module dev.upcall.fileman {
  requires static transitive org.jspecify;
  requires transitive dev.upcall.core;
  requires jdk.management;

  exports dev.upcall;
  exports dev.upcall.guard;
  exports dev.upcall.request;
  exports dev.upcall.request.codec;
  exports dev.upcall.stage;
  exports dev.upcall.table;
  exports dev.upcall.trees;
  exports dev.upcall.fileman.blocking to
      dev.upcall.threads;
  exports dev.upcall.fileman.engine to
      dev.upcall.threads;
  exports dev.upcall.fileman.keys to
      dev.upcall.threads;
  exports dev.upcall.fileman.plan to
      dev.upcall.threads;
  exports dev.upcall.nio to
      dev.upcall.threads;
  exports dev.upcall.nio.collected to
      dev.upcall.threads;

  uses dev.upcall.fileman.engine.EngineProvider;

  provides java.nio.file.spi.FileSystemProvider with
      dev.upcall.nio.UpcallFileSystemProvider;
}
