package dev.upcall.cli.queue;

import dev.upcall.journal.entry.Request;

/** Requests as a person reads them. */
final class RequestText {
  private RequestText() {}

  /** What it asks, in the words of the commands. */
  static String of(Request request) {
    return switch (request) {
      case Request.Put put -> "put %s, %d bytes".formatted(put.path(), put.contentBytes());
      case Request.Write write ->
          "write %s at %d, %d bytes".formatted(write.path(), write.offset(), write.contentBytes());
      case Request.Append append ->
          "append %s, %d bytes".formatted(append.path(), append.contentBytes());
      case Request.Delete delete -> "rm " + delete.path();
      case Request.DeleteTree delete -> "rm -r " + delete.path();
      case Request.Rename rename -> "mv " + rename.from() + " " + rename.to();
      case Request.CreateDirectory create -> "mkdir " + create.path();
      case Request.Batch batch -> "batch of %d requests".formatted(batch.requests().size());
    };
  }
}
