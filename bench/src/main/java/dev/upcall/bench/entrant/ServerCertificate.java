package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Lab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate of this machine (P-256) that only a benchmark knows, made by the JDK's keytool.
 *
 * @param certificate its PEM file
 * @param key the PEM file of its private key
 * @param trust of clients that accept it
 */
public record ServerCertificate(Path certificate, Path key, SSLContext trust) {
  private static final String NAME = "server";
  private static final String PASSWORD = "of-no-secret";
  private static final long SECONDS = 60;

  /** Makes one in the scratch folder. */
  public static ServerCertificate make(Lab lab) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(lab.scratch(), "certificate-");
    Path store = folder.resolve("server.p12");
    lab.run(
        "keytool",
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-keystore",
            store.toString(),
            "-storepass",
            PASSWORD,
            "-alias",
            NAME,
            "-dname",
            "CN=localhost",
            "-ext",
            "san=dns:localhost,ip:127.0.0.1",
            "-validity",
            "30"),
        SECONDS);
    try {
      KeyStore all = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
      Certificate made = all.getCertificate(NAME);
      Key secret = Objects.requireNonNull(all.getKey(NAME, PASSWORD.toCharArray()));
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      trusted.setCertificateEntry(NAME, made);
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      Path key = write(folder.resolve("key.pem"), "PRIVATE KEY", secret.getEncoded());
      Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
      return new ServerCertificate(
          write(folder.resolve("certificate.pem"), "CERTIFICATE", made.getEncoded()), key, context);
    } catch (GeneralSecurityException refused) {
      throw new IOException("a certificate cannot be made", refused);
    }
  }

  private static Path write(Path file, String kind, byte[] bytes) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return Files.writeString(
        file, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(kind, text));
  }
}
