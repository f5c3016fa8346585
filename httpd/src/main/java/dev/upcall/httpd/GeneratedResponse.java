package dev.upcall.httpd;

/**
 * A whole answer that is made for a request instead of being read from a store.
 *
 * @param status what it says
 * @param mediaType of the body, in ASCII
 * @param body must not be changed any more
 */
public record GeneratedResponse(Status status, String mediaType, byte[] body) {}
