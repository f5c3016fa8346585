package dev.upcall.cli.serve;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Two certificates of localhost, of which a server has the one or the other; clients trust both.
 */
final class SoakCertificates {
  private static final char[] PASSWORD = "not a secret".toCharArray();
  private static final List<String> NAMES = List.of("first", "second");

  private final Path folder;
  private final KeyStore keys;

  SoakCertificates(Path folder) throws IOException, GeneralSecurityException {
    this.folder = folder;
    Path store = folder.resolve("keys.p12");
    for (String name : NAMES) {
      make(store, name);
    }
    keys = KeyStore.getInstance(store.toFile(), PASSWORD);
  }

  private static void make(Path store, String name) throws IOException {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD),
                "-alias",
                name,
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:localhost,ip:127.0.0.1")
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.onExit().join().exitValue() != 0) {
      throw new AssertionError(said);
    }
  }

  Path certificate() {
    return folder.resolve("server.pem");
  }

  Path key() {
    return folder.resolve("server.key");
  }

  /** Puts the files of one of them where the server reads them. */
  void put(int which) throws IOException, GeneralSecurityException {
    String name = NAMES.get(which % NAMES.size());
    write(certificate(), "CERTIFICATE", keys.getCertificate(name).getEncoded());
    write(key(), "PRIVATE KEY", keys.getKey(name, PASSWORD).getEncoded());
  }

  private void write(Path file, String kind, byte[] bytes) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    Path next = folder.resolve("next");
    Files.writeString(
        next, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(kind, text));
    Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
  }

  SSLContext trust() throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (String name : NAMES) {
      trusted.setCertificateEntry(name, keys.getCertificate(name));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
