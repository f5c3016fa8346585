package dev.upcall.httpd.clients;

import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.base.TestCertificates;
import dev.upcall.fileman.blocking.TestedStore;
import dev.upcall.guard.AccessRules;
import dev.upcall.guard.AccessSecret;
import dev.upcall.httpd.HttpBehaviour;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpPolicy;
import dev.upcall.httpd.ResumableUploads;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.TlsConfig;
import dev.upcall.httpd.server.Endpoint;
import dev.upcall.httpd.server.HttpService;
import dev.upcall.httpd.server.ServerTls;
import dev.upcall.httpd.tls.TestTls;
import dev.upcall.httpd.web.WebRules;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A volume behind a server with TLS, rules and resumable uploads: anyone reads, alice writes, and
 * reads what is private; into a box anyone may drop things. A second port asks clients for
 * certificates.
 */
final class ServedStore implements AutoCloseable {
  /** Her token. */
  static final String SECRET = "upcall_CCCCCCCCCCCCCCCCCCCCCCCCCCC";

  /** The content of {@code /open/large.bin}. */
  static final byte[] LARGE = HttpBehaviour.noise(3_000_001);

  private static final String RULES =
      """
      token alice sha256:%s
      allow read,list / anyone
      allow write / alice
      allow read,list,write /private alice
      allow write /drop anyone
      """;

  private final TestCertificates certificates = TestCertificates.shared();
  private final Path folder;
  private final Upcall store;
  private final ServerTls tls;
  private final ServerTls asking;
  private final HttpService service;
  private final HttpService serviceForKnown;

  ServedStore(Path folder) {
    this.folder = folder;
    store = Upcall.create(folder.resolve("volume"), TestedStore.RING.config());
    write("/open/hello.txt", "hello\n".getBytes(StandardCharsets.UTF_8));
    write("/open/large.bin", LARGE);
    write("/private/key.txt", "key\n".getBytes(StandardCharsets.UTF_8));
    tls = ServerTls.load(TestTls.server(TlsConfig.Engine.AUTO));
    asking =
        ServerTls.load(
            TestTls.server(TlsConfig.Engine.AUTO).withClientAuthorities(certificates.authority()));
    service = start(tls);
    serviceForKnown = start(asking);
  }

  private HttpService start(ServerTls spoken) {
    String digest = HexFormat.of().formatHex(AccessSecret.digest(SECRET));
    WebRules web = UpcallException.value(WebRules.parse("web", "cors / GET,HEAD,PUT,PATCH *"));
    HttpPolicy policy =
        HttpPolicy.OPEN
            .withAccess(UpcallException.value(AccessRules.parse("rules", RULES.formatted(digest))))
            .withWeb(() -> web)
            .withResumable(ResumableUploads.of(new SplittableRandom(1)));
    return HttpService.start(
        store.fsm(),
        Site.of(store.fsm().fileManager()),
        HttpConfig.defaults().withWritable(true).withPolicy(policy),
        new Endpoint(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.of(spoken)));
  }

  TestCertificates certificates() {
    return certificates;
  }

  /** A folder for the client. */
  Path folder() {
    return folder;
  }

  int port() {
    return service.address().getPort();
  }

  /** The port for clients with a certificate. */
  int portForKnown() {
    return serviceForKnown.address().getPort();
  }

  /** The address of a path. */
  String url(String path) {
    return "https://localhost:" + port() + path;
  }

  void write(String path, byte[] content) {
    store.write(path, new ByteArrayInputStream(content), PutOptions.WITH_PARENTS);
  }

  byte[] read(String path) {
    return store.readAllBytes(path);
  }

  boolean has(String path) {
    return store.exists(path);
  }

  @Override
  public void close() {
    service.close();
    serviceForKnown.close();
    tls.close();
    asking.close();
    store.close();
  }
}
