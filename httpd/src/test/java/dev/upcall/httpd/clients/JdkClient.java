package dev.upcall.httpd.clients;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;

/** The client of the JDK, which is always there. */
final class JdkClient implements NetworkClient {
  @Override
  public String program() {
    return "";
  }

  @Override
  public void talk(ServedStore server) throws Exception {
    try (HttpClient client =
        HttpClient.newBuilder().sslContext(server.certificates().client()).build()) {
      HttpRequest.Builder large = HttpRequest.newBuilder(URI.create(server.url("/open/large.bin")));
      assertArrayEquals(
          ServedStore.LARGE, client.send(large.build(), BodyHandlers.ofByteArray()).body());
      HttpResponse<byte[]> part =
          client.send(
              large.setHeader("Range", "bytes=100-199").build(), BodyHandlers.ofByteArray());
      assertEquals(206, part.statusCode());
      assertArrayEquals(Arrays.copyOfRange(ServedStore.LARGE, 100, 200), part.body());
      HttpRequest.Builder put =
          HttpRequest.newBuilder(URI.create(server.url("/private/jdk")))
              .PUT(BodyPublishers.ofByteArray(ServedStore.LARGE));
      assertEquals(401, client.send(put.build(), BodyHandlers.discarding()).statusCode());
      put.setHeader("Authorization", "Bearer " + ServedStore.SECRET);
      assertEquals(201, client.send(put.build(), BodyHandlers.discarding()).statusCode());
      assertArrayEquals(ServedStore.LARGE, server.read("/private/jdk"));
    }
  }
}
