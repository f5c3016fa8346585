package dev.upcall.feed;

import dev.upcall.FileContent;
import dev.upcall.completion.Failure;
import dev.upcall.content.StagedContent;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.Origin;
import dev.upcall.request.FileRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A request whose first entry was read: where its entries are, and what is left to do. */
final class Asked {
  private final Origin origin;
  private final int parts;
  private final long bytes;
  private final long appendedMillis;
  private final List<Long> indexes;
  private final Position before;
  private Work work;
  private long seenNanos;
  private long queuedBytes;

  /**
   * Has begun.
   *
   * @param before the entry before its first
   */
  Asked(Arrival.Part first, Work work, Position before, long nowNanos) {
    this.origin = first.entry().origin();
    this.parts = first.entry().parts();
    this.bytes = work instanceof Work.Large ? 0 : first.entry().body().length;
    this.appendedMillis = first.entry().appendedMillis();
    this.work = work;
    this.before = before;
    this.seenNanos = nowNanos;
    List<Long> index = List.of(first.index());
    this.indexes = parts == 1 ? index : new ArrayList<>(index);
    this.queuedBytes = bytesOf(first);
  }

  Origin origin() {
    return origin;
  }

  UUID producer() {
    return origin.producer();
  }

  long sequence() {
    return origin.sequence();
  }

  /** Of its first entry. */
  long firstIndex() {
    return indexes.getFirst();
  }

  /** The entry before its first. */
  Position before() {
    return before;
  }

  long lastIndex() {
    return indexes.getLast();
  }

  /** Of its entries, in order. */
  List<Long> indexes() {
    return indexes;
  }

  /** What it takes while it waits: nothing if it is read again. */
  long bytes() {
    return bytes;
  }

  /** What its entries take in the queue, those that were read. */
  long queuedBytes() {
    return queuedBytes;
  }

  /** When its first entry was appended. */
  long appendedMillis() {
    return appendedMillis;
  }

  /** When its newest entry was read. */
  long seenNanos() {
    return seenNanos;
  }

  boolean isWhole() {
    return indexes.size() == parts;
  }

  /** Whether a further part was the next of this request, which has it then. */
  boolean take(Arrival.Part further, long nowNanos) {
    if (isWhole()
        || !origin.equals(further.entry().origin())
        || indexes.size() != further.entry().part()) {
      return false;
    }
    indexes.add(further.index());
    queuedBytes += bytesOf(further);
    seenNanos = nowNanos;
    return true;
  }

  static long bytesOf(Arrival.Part part) {
    return (long) EntryCodec.HEAD_BYTES + part.entry().body().length;
  }

  Work work() {
    return work;
  }

  /** It has failed for good. */
  void refuse(Failure why) {
    work = new Work.Impossible(why);
  }

  /** Content that was read from its parts, for one try. */
  static Work.Changes with(Work.Large large, StagedContent content) {
    return new Work.Changes(
        List.of(
            new FileRequest.Put(
                large.put().path(), new FileContent.Staged(content), large.put().options())));
  }
}
