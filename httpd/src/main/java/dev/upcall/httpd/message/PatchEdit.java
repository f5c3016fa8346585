package dev.upcall.httpd.message;

/** One thing that the body of a PATCH does to a file, as the ones before it leave that. */
public sealed interface PatchEdit {
  /**
   * Bytes come over those that are there from an offset on, and behind the end if they are more.
   */
  record Overwrite(long offset, byte[] bytes) implements PatchEdit {}

  /** Bytes come behind the end. */
  record Append(byte[] bytes) implements PatchEdit {}

  /** Bytes come in the place of others, and what lies behind moves. */
  record Splice(long offset, long removed, byte[] bytes) implements PatchEdit {}
}
