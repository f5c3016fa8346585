package dev.upcall.sim.store.campaign;

import dev.upcall.txn.Store;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Which classes these are: a recording says what made it. */
final class SimBuild {
  private static final int DIGITS = 16;

  /** Each recording asks, and all classes are read for it. */
  private static String known;

  private SimBuild() {}

  /** The same for the same classes of store and simulator. */
  static synchronized String id() throws IOException {
    if (known == null) {
      known = digest();
    }
    return known;
  }

  private static String digest() throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Class<?> one : List.of(Store.class, SimBuild.class)) {
        add(Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI()), digest);
      }
      return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
    } catch (NoSuchAlgorithmException | URISyntaxException unheardOf) {
      throw new IOException(unheardOf);
    }
  }

  /** A directory of classes, or a jar. */
  private static void add(Path root, MessageDigest digest) throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.walk(root)) {
      files = found.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path file : files) {
      digest.update(root.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
      digest.update(Files.readAllBytes(file));
    }
  }
}
