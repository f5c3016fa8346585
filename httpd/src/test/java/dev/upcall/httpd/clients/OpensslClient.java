package dev.upcall.httpd.clients;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code openssl s_client}: protocols, suites and certificates of clients, one by one. */
final class OpensslClient implements NetworkClient {
  private static final String GET = "GET /open/hello.txt HTTP/1.0\r\n\r\n";

  /** So that the client itself offers what is old. */
  private static final String ANYTHING = "ALL:@SECLEVEL=0";

  @Override
  public String program() {
    return "openssl";
  }

  @Override
  public void talk(ServedStore server) throws Exception {
    Tool openssl = new Tool(Tool.find(program()).orElseThrow(), server.folder());
    int port = server.port();
    answers(said(openssl, server, port, "-tls1_3"), "TLSv1.3");
    answers(said(openssl, server, port, "-tls1_2"), "TLSv1.2");
    String agreed = said(openssl, server, port, "-alpn", "h2,http/1.1");
    assertTrue(agreed.contains("ALPN protocol: http/1.1"), agreed);
    refuses(said(openssl, server, port, "-tls1_1", "-cipher", ANYTHING), "protocol version");
    String[] noSecrecy = {"-tls1_2", "-cipher", "kRSA"};
    refuses(said(openssl, server, port, noSecrecy), "handshake failure");
    String[] twoSteps = {"-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA"};
    refuses(said(openssl, server, port, twoSteps), "handshake failure");
    showsACertificate(openssl, server);
  }

  private static void showsACertificate(Tool openssl, ServedStore server) throws Exception {
    int port = server.portForKnown();
    String certificate = server.certificates().certificates("client").toString();
    String key = server.certificates().key("client").toString();
    for (String protocol : new String[] {"-tls1_3", "-tls1_2"}) {
      String[] known = {protocol, "-cert", certificate, "-key", key};
      String said = said(openssl, server, port, known);
      assertTrue(said.contains("hello\n"), said);
      refuses(
          said(openssl, server, port, protocol),
          "certificate required|handshake failure|bad certificate");
    }
  }

  private static String said(Tool openssl, ServedStore server, int port, String... more)
      throws Exception {
    List<String> all = new ArrayList<>(List.of("s_client", "-connect", "localhost:" + port));
    all.addAll(List.of("-CAfile", server.certificates().authority().toString()));
    all.addAll(List.of("-verify_return_error", "-verify_hostname", "localhost", "-ign_eof"));
    all.addAll(List.of(more));
    return openssl.run(Map.of(), GET, all).said();
  }

  private static void answers(String said, String protocol) {
    assertTrue(said.contains("Verify return code: 0 (ok)"), said);
    assertTrue(said.contains("New, " + protocol) || said.contains(protocol), said);
    assertTrue(said.contains("HTTP/1.1 200 OK") && said.contains("hello\n"), said);
  }

  private static void refuses(String said, String why) {
    assertFalse(said.contains("HTTP/1.1"), said);
    assertTrue(said.matches("(?s).*alert (" + why + ").*"), said);
  }
}
