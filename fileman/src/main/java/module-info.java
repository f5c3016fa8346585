/** Files with names in a store: what a program names that embeds one. */
@SuppressWarnings("module") // those above are compiled later
module dev.upcall.fileman {
  requires static transitive org.jspecify;
  requires transitive dev.upcall.core;
  requires jdk.management;

  exports dev.upcall;
  exports dev.upcall.request.codec;
  exports dev.upcall.stage;
  exports dev.upcall.trees;

  provides java.nio.file.spi.FileSystemProvider with
      dev.upcall.nio.UpcallFileSystemProvider;
}
