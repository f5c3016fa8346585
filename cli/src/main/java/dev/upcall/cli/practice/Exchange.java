package dev.upcall.cli.practice;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A request and what is due.
 *
 * @param request its bytes
 * @param status of the answer
 * @param body whether the answer's length is that of a body
 */
record Exchange(byte[] request, int status, boolean body) {
  static Exchange of(String method, String path, int status, String... headers) {
    return new Exchange(
        head(method, path, headers), status, !method.equals("HEAD") && status != 304);
  }

  /** An upload of a file that is not there. */
  static Exchange upload(String path, int sizeBytes) {
    byte[] head = head("PUT", path, "Content-Length: " + sizeBytes);
    return new Exchange(Arrays.copyOf(head, head.length + sizeBytes), 201, true);
  }

  /** A download that is the only one of its connection. */
  static Exchange last(String path) {
    return of("GET", path, 200, "Connection: close");
  }

  private static byte[] head(String method, String path, String... headers) {
    StringBuilder text = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: practice\r\n");
    for (String header : headers) {
      text.append(header).append("\r\n");
    }
    return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }
}
