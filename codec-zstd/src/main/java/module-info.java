/**
 * Compression of files by zstd. A program that has this module on its class path or module path can
 * choose it by {@code PutOptions.withCompression}, and reads what was compressed so.
 */
@SuppressWarnings("module") // the storage core exports to those above, which are compiled later
module dev.upcall.codec.zstd {
  requires static transitive org.jspecify;
  requires dev.upcall.core;
  requires com.github.luben.zstd_jni;

  provides dev.upcall.content.UnitCodec with
      dev.upcall.codec.zstd.ZstdCodec;
}
