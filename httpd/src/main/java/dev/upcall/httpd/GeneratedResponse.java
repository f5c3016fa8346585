package dev.upcall.httpd;

import java.util.Objects;

/**
 * A whole answer that is made for a request instead of being read from a store.
 *
 * @param status what it says
 * @param mediaType of the body, in ASCII
 * @param body must not be changed any more
 */
public record GeneratedResponse(Status status, String mediaType, byte[] body) {
  /** Checks that nothing is missing. */
  public GeneratedResponse {
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(mediaType, "mediaType");
    Objects.requireNonNull(body, "body");
  }
}
