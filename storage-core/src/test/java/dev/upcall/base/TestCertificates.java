package dev.upcall.base;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Certificates of an authority that is made for the tests of this process, by the JDK's keytool:
 * for servers on this machine, and for clients. Their files go when the process ends.
 */
public final class TestCertificates {
  private static final char[] PASSWORD = "not a secret".toCharArray();
  private static final String AUTHORITY = "authority";

  private final Path folder;

  private final Path store;
  private final Map<String, SSLContext> clients = new ConcurrentHashMap<>();

  private TestCertificates(Path folder) {
    this.folder = folder;
    this.store = folder.resolve("all.p12");
  }

  private static final class Shared {
    static final TestCertificates ALL = made();
  }

  /** Those of this process. */
  public static TestCertificates shared() {
    return Shared.ALL;
  }

  private static TestCertificates made() {
    try {
      Path folder = Files.createTempDirectory("test-certificates");
      TestCertificates all = new TestCertificates(folder);
      // The JVM deletes what was named last first.
      folder.toFile().deleteOnExit();
      all.store.toFile().deleteOnExit();
      all.make(AUTHORITY, "-keyalg", "EC", "-groupname", "secp256r1", "-ext", "bc:c");
      all.make("server", "-keyalg", "EC", "-groupname", "secp256r1");
      all.make("other", "-keyalg", "RSA", "-keysize", "2048");
      all.make("client", "-keyalg", "EC", "-groupname", "secp256r1");
      all.writePem(all.certificates(AUTHORITY), List.of(AUTHORITY), "CERTIFICATE");
      return all;
    } catch (IOException refused) {
      throw new UncheckedIOException(refused);
    }
  }

  private void make(String name, String... how) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD),
                "-alias",
                name,
                "-dname",
                "CN=" + name,
                "-validity",
                "1000"));
    command.addAll(Arrays.asList(how));
    if (!name.equals(AUTHORITY)) {
      command.addAll(List.of("-signer", AUTHORITY, "-ext", "san=dns:localhost,ip:127.0.0.1"));
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new AssertionError(said);
      }
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
    if (!name.equals(AUTHORITY)) {
      writePem(certificates(name), List.of(name, AUTHORITY), "CERTIFICATE");
      writeKey(name);
    }
  }

  private KeyStore all() throws IOException, GeneralSecurityException {
    return KeyStore.getInstance(store.toFile(), PASSWORD);
  }

  private void writePem(Path file, List<String> names, String kind) throws IOException {
    StringBuilder text = new StringBuilder();
    try {
      for (String name : names) {
        Certificate certificate = all().getCertificate(name);
        text.append(pem(kind, certificate.getEncoded()));
      }
    } catch (GeneralSecurityException refused) {
      throw new AssertionError(refused);
    }
    write(file, text);
  }

  private static void write(Path file, CharSequence text) throws IOException {
    Files.writeString(file, text);
    file.toFile().deleteOnExit();
  }

  private void writeKey(String name) throws IOException {
    try {
      byte[] key = all().getKey(name, PASSWORD).getEncoded();
      write(key(name), pem("PRIVATE KEY", key));
      Files.setPosixFilePermissions(key(name), PosixFilePermissions.fromString("rw-------"));
    } catch (GeneralSecurityException refused) {
      throw new AssertionError(refused);
    }
  }

  private static String pem(String kind, byte[] bytes) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(kind, text);
  }

  /** The file of a certificate, with that of the authority: of "server", "other" or "client". */
  public Path certificates(String name) {
    return folder.resolve(name + ".pem");
  }

  /** The file of its key. */
  public Path key(String name) {
    return folder.resolve(name + ".key");
  }

  /** The file of the authority's certificate. */
  public Path authority() {
    return certificates(AUTHORITY);
  }

  /** A client that trusts the authority and has no certificate. */
  public SSLContext client() {
    return client(null);
  }

  /** The same with the certificate of that name. */
  public SSLContext client(String name) {
    return clients.computeIfAbsent(String.valueOf(name), _ -> made(name));
  }

  private SSLContext made(String name) {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry(AUTHORITY, all().getCertificate(AUTHORITY));
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      if (name == null) {
        context.init(null, trust.getTrustManagers(), null);
        return context;
      }
      KeyStore own = KeyStore.getInstance("PKCS12");
      own.load(null, null);
      own.setKeyEntry(
          name, all().getKey(name, PASSWORD), PASSWORD, all().getCertificateChain(name));
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(own, PASSWORD);
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException refused) {
      throw new AssertionError(refused);
    }
  }
}
