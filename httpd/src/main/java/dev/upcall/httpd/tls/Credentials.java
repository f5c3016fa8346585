package dev.upcall.httpd.tls;

import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.TlsConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Certificates and key of the files of a {@link TlsConfig}, checked. Threads that may wait.
 *
 * @param chain the server's certificate, and those behind it
 * @param key that of the first
 * @param clientAuthorities empty where clients need no certificate
 */
record Credentials(
    List<X509Certificate> chain, PrivateKey key, List<X509Certificate> clientAuthorities) {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]*)-----END PRIVATE KEY-----");

  private static final Pattern OTHER_KEY = Pattern.compile("-----BEGIN ([A-Z ]*PRIVATE KEY)-----");

  private static final Set<PosixFilePermission> OF_OTHERS =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  /**
   * Reads them.
   *
   * @throws UpcallException {@code Invalid} with the file and what is wrong with it
   */
  static Credentials read(TlsConfig config) {
    List<X509Certificate> chain = certificates(config.certificates());
    PublicKey known = chain.getFirst().getPublicKey();
    PrivateKey key = key(config.key(), known.getAlgorithm());
    if (!belong(key, known)) {
      throw bad(
          config.key(),
          "this key is not that of the first certificate in " + config.certificates());
    }
    return new Credentials(
        chain, key, config.clientAuthorities().map(Credentials::certificates).orElse(List.of()));
  }

  private static List<X509Certificate> certificates(Path file) {
    byte[] text = bytes(file);
    try {
      List<X509Certificate> all =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(text))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (all.isEmpty()) {
        throw bad(file, "no certificate is in it");
      }
      return all;
    } catch (GeneralSecurityException broken) {
      throw bad(file, "no PEM file of certificates: " + broken.getMessage());
    }
  }

  private static PrivateKey key(Path file, String algorithm) {
    String text = new String(bytes(file), StandardCharsets.ISO_8859_1);
    checkMode(file);
    Matcher found = KEY.matcher(text);
    if (!found.find()) {
      Matcher other = OTHER_KEY.matcher(text);
      throw bad(
          file,
          other.find()
              ? "a key in the form \"%s\"; openssl pkcs8 -topk8 -nocrypt -in FILE makes it a PRIVATE KEY"
                  .formatted(other.group(1))
              : "no private key is in it");
    }
    try {
      byte[] encoded = Base64.getMimeDecoder().decode(found.group(1));
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (GeneralSecurityException | IllegalArgumentException broken) {
      throw bad(file, "no key of the kind %s: %s".formatted(algorithm, broken.getMessage()));
    }
  }

  private static void checkMode(Path file) {
    try {
      Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
      if (mode.stream().anyMatch(OF_OTHERS::contains)) {
        throw bad(
            file,
            "others than its owner may read or write it (%s); chmod 600 changes that"
                .formatted(PosixFilePermissions.toString(mode)));
      }
    } catch (IOException refused) {
      throw bad(file, String.valueOf(refused.getMessage()));
    } catch (UnsupportedOperationException noModes) {
      throw bad(file, "it lies where there are no modes that keep others from reading it");
    }
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException refused) {
      throw bad(
          file,
          Files.exists(file)
              ? "it cannot be read: " + refused.getMessage()
              : "there is no such file");
    }
  }

  /** Whether what one signs the other confirms. */
  private static boolean belong(PrivateKey key, PublicKey known) {
    String algorithm =
        switch (known.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> known.getAlgorithm();
        };
    try {
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      byte[] signed = signing.sign();
      Signature checking = Signature.getInstance(algorithm);
      checking.initVerify(known);
      return checking.verify(signed);
    } catch (GeneralSecurityException other) {
      return false;
    }
  }

  static UpcallException bad(Path file, String why) {
    return UpcallException.of(new Failure.Invalid(file + ": " + why));
  }
}
