package dev.upcall.httpd.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.UpcallException;
import dev.upcall.base.TestCertificates;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpBehaviour;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.LiveServer;
import dev.upcall.httpd.ServerKind;
import dev.upcall.httpd.TlsConfig;
import dev.upcall.httpd.TlsConfig.Engine;
import dev.upcall.httpd.tls.TestTls;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** TLS over real sockets: clients of others, certificates of clients, files that change. */
@ExtendWith(BufferLeakCheck.class)
class ServerTlsTest {
  private static final TestCertificates CERTIFICATES = TestCertificates.shared();
  private static final int FUZZED = 150;

  @TempDir Path folder;

  static Stream<ServerKind> kinds() {
    return Stream.of(ServerKind.RING, ServerKind.EPOLL_DISPATCHERS, ServerKind.NIO)
        .filter(ServerKind::isHere);
  }

  private static HttpResponse<byte[]> get(HttpClient client, LiveServer server, String path)
      throws Exception {
    URI uri = URI.create("https://localhost:" + server.port() + path);
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray());
  }

  private static HttpClient client(SSLContext context) {
    return HttpClient.newBuilder().sslContext(context).build();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theLibrarysClient(ServerKind kind) throws Exception {
    byte[] bytes = HttpBehaviour.noise(5_000_001);
    for (Engine engine : new Engine[] {Engine.JDK, Engine.BORINGSSL}) {
      HttpConfig config = HttpConfig.defaults().withWritable(true);
      try (LiveServer server = new LiveServer(kind, config, TestTls.server(engine));
          HttpClient client = client(CERTIFICATES.client())) {
        server.call(() -> server.site.file("/large.bin", bytes));
        for (int i = 0; i < 3; i++) {
          assertArrayEquals(bytes, get(client, server, "/large.bin").body());
          assertEquals(404, get(client, server, "/x").statusCode());
        }
        URI put = URI.create("https://localhost:" + server.port() + "/put");
        HttpRequest upload =
            HttpRequest.newBuilder(put).PUT(HttpRequest.BodyPublishers.ofByteArray(bytes)).build();
        assertEquals(201, client.send(upload, BodyHandlers.discarding()).statusCode());
        assertArrayEquals(bytes, get(client, server, "/put").body());
        assertEquals(
            1, server.metrics().of(HttpCount.ACCEPTED_CONNECTIONS), "the connection is kept");
        assertEquals(1, server.metrics().of(HttpCount.HANDSHAKES));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Engine.class,
      names = {"JDK", "BORINGSSL"})
  void onlyClientsWithACertificateGetIn_whereThatIsAsked(Engine engine) throws Exception {
    TlsConfig asking = TestTls.server(engine).withClientAuthorities(CERTIFICATES.authority());
    try (LiveServer server = new LiveServer(ServerKind.NIO, HttpConfig.defaults(), asking)) {
      server.call(() -> server.site.file("/a", "content"));
      try (HttpClient known = client(CERTIFICATES.client("client"))) {
        assertEquals(200, get(known, server, "/a").statusCode());
      }
      try (HttpClient stranger = client(CERTIFICATES.client())) {
        assertThrows(IOException.class, () -> get(stranger, server, "/a"));
      }
      assertEquals(1, server.metrics().of(HttpCount.REQUESTS));
    }
  }

  /** A protocol or suites that are not spoken: the client is told which of them it is. */
  @ParameterizedTest
  @EnumSource(
      value = Engine.class,
      names = {"JDK", "BORINGSSL"})
  void aClientWithNothingInCommonIsToldSo(Engine engine) throws Exception {
    try (LiveServer server =
            new LiveServer(ServerKind.NIO, HttpConfig.defaults(), TestTls.server(engine));
        SSLSocket client = (SSLSocket) server.connect()) {
      client.setEnabledProtocols(new String[] {"TLSv1.2"});
      client.setEnabledCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA"});
      IOException refused = assertThrows(IOException.class, client::startHandshake);
      assertTrue(refused.getMessage().contains("handshake_failure"), refused.getMessage());
      server.await(metrics -> metrics.of(HttpCount.FAILED_HANDSHAKES) == 1);
    }
  }

  private TlsConfig copied(String name, Engine engine) throws IOException {
    Path certificates = folder.resolve("server.pem");
    Path key = folder.resolve("server.key");
    Files.copy(CERTIFICATES.certificates(name), certificates, StandardCopyOption.REPLACE_EXISTING);
    Files.copy(
        CERTIFICATES.key(name),
        key,
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.COPY_ATTRIBUTES);
    return TlsConfig.of(certificates, key).withEngine(engine);
  }

  private static String served(Socket socket) throws IOException {
    SSLSocket talking = (SSLSocket) socket;
    talking.startHandshake();
    return ((X509Certificate) talking.getSession().getPeerCertificates()[0])
        .getSubjectX500Principal()
        .getName();
  }

  @ParameterizedTest
  @EnumSource(
      value = Engine.class,
      names = {"JDK", "BORINGSSL"})
  void otherFiles_areForNewConnections_andBadOnesForNobody(Engine engine) throws Exception {
    TlsConfig config = copied("server", engine);
    try (LiveServer server = new LiveServer(ServerKind.NIO, HttpConfig.defaults(), config)) {
      server.call(() -> server.site.file("/a", "content"));
      try (Socket before = server.connect()) {
        assertEquals("CN=server", served(before));
        copied("other", engine);
        server.tls().reload();
        assertTrue(server.tls().describe().contains("CN=other"));
        try (Socket behind = server.connect()) {
          assertEquals("CN=other", served(behind));
        }
        before.getOutputStream().write("GET /a HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        String answer = new String(before.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(answer.endsWith("content"), "it goes on");
      }
      Files.writeString(config.certificates(), "-----BEGIN CERTIFICATE-----\nbroken");
      UpcallException refused =
          assertThrows(UpcallException.Invalid.class, () -> server.tls().reload());
      assertTrue(refused.getMessage().contains(config.certificates().toString()));
      try (Socket still = server.connect()) {
        assertEquals("CN=other", served(still));
      }
    }
  }

  private void refused(TlsConfig config, Path file, String why) {
    UpcallException refused =
        assertThrows(UpcallException.Invalid.class, () -> ServerTls.load(config));
    assertTrue(refused.getMessage().contains(file + ": "), refused.getMessage());
    assertTrue(refused.getMessage().contains(why), refused.getMessage());
  }

  @Test
  void filesThatCannotBeUsed_areNamed() throws IOException {
    TlsConfig config = copied("server", Engine.JDK);
    Path absent = folder.resolve("absent.pem");
    refused(TlsConfig.of(absent, config.key()), absent, "no such file");
    refused(TlsConfig.of(config.certificates(), absent), absent, "no such file");
    refused(config.withClientAuthorities(absent), absent, "no such file");
    Path other = CERTIFICATES.key("other");
    refused(TlsConfig.of(config.certificates(), other), other, "no key of the kind EC");
    Path client = CERTIFICATES.key("client");
    refused(TlsConfig.of(config.certificates(), client), client, "not that of the first");
    refused(TlsConfig.of(config.key(), config.key()), config.key(), "certificate");
    refused(
        TlsConfig.of(config.certificates(), config.certificates()),
        config.certificates(),
        "others than its owner");
    for (String mode : new String[] {"rw-r-----", "rw----r--", "rw--w----"}) {
      Files.setPosixFilePermissions(config.key(), PosixFilePermissions.fromString(mode));
      refused(config, config.key(), mode);
    }
    Files.setPosixFilePermissions(config.key(), PosixFilePermissions.fromString("rw-------"));
    Files.writeString(config.key(), "-----BEGIN EC PRIVATE KEY-----\nAAAA\n");
    refused(config, config.key(), "openssl pkcs8");
    Files.writeString(config.key(), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----");
    refused(config, config.key(), "no key of the kind EC");
    Files.writeString(config.key(), "nothing");
    refused(config, config.key(), "no private key");
  }

  /** A client's first words, with some of them changed, cut or repeated. */
  @ParameterizedTest
  @EnumSource(
      value = Engine.class,
      names = {"JDK", "BORINGSSL"})
  void anyBytesGetAnAlertOrAnEnd(Engine engine) throws Exception {
    byte[] hello = hello();
    SplittableRandom random = new SplittableRandom(1);
    try (LiveServer server =
        new LiveServer(ServerKind.NIO, HttpConfig.defaults(), TestTls.server(engine))) {
      for (int round = 0; round < FUZZED; round++) {
        byte[] bytes = changed(hello, random);
        try (Socket socket = server.connectPlain()) {
          socket.getOutputStream().write(bytes);
          socket.shutdownOutput();
          readOver(socket);
        }
      }
      server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) == 0);
      assertEquals(0, server.metrics().of(HttpCount.REQUESTS));
      assertEquals(FUZZED, server.metrics().of(HttpCount.ACCEPTED_CONNECTIONS));
    }
  }

  private static void readOver(Socket socket) {
    try (InputStream in = socket.getInputStream()) {
      in.readAllBytes();
    } catch (IOException reset) {
      assertTrue(reset.getMessage().contains("reset"), reset.getMessage());
    }
  }

  private static byte[] changed(byte[] hello, SplittableRandom random) {
    byte[] bytes = hello.clone();
    switch (random.nextInt(4)) {
      case 0 -> random.nextBytes(bytes);
      case 1 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      default -> {}
    }
    for (int i = random.nextInt(8); i > 0 && bytes.length > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return bytes;
  }

  private static byte[] hello() throws Exception {
    SSLEngine engine = CERTIFICATES.client().createSSLEngine("localhost", 1);
    engine.setUseClientMode(true);
    ByteBuffer made = ByteBuffer.allocate(40_000);
    engine.wrap(ByteBuffer.allocate(0), made);
    byte[] hello = new byte[made.flip().remaining()];
    made.get(hello);
    return hello;
  }
}
