package dev.upcall.httpd;

import io.netty.handler.codec.http.HttpMethod;
import java.util.Objects;

/** The methods by which requests are counted. */
public enum HttpVerb {
  /** GET. */
  GET,
  /** HEAD. */
  HEAD,
  /** PUT. */
  PUT,
  /** DELETE. */
  DELETE,
  /** PATCH. */
  PATCH,
  /** All others, and what could not be read. */
  OTHER;

  /** What a method is counted as. */
  @SuppressWarnings("exports") // for who decodes requests
  public static HttpVerb of(HttpMethod method) {
    Objects.requireNonNull(method, "method");
    if (method.equals(HttpMethod.GET)) {
      return GET;
    }
    if (method.equals(HttpMethod.HEAD)) {
      return HEAD;
    }
    if (method.equals(HttpMethod.PUT)) {
      return PUT;
    }
    if (method.equals(HttpMethod.PATCH)) {
      return PATCH;
    }
    return method.equals(HttpMethod.DELETE) ? DELETE : OTHER;
  }

  /** A row in tables of one process; the order of the enum never reaches a disk or a wire. */
  @SuppressWarnings("EnumOrdinal")
  public int index() {
    return ordinal();
  }
}
