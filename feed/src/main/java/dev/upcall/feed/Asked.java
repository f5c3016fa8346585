package dev.upcall.feed;

import dev.upcall.completion.Failure;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.FileContent;
import dev.upcall.fileman.FileRequest;
import dev.upcall.journal.entry.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A request whose first entry was read: where its entries are, and what is left to do. */
final class Asked {
  private final Origin origin;
  private final int parts;
  private final long bytes;
  private final List<Long> indexes = new ArrayList<>();
  private Work work;
  private long seenNanos;

  Asked(Arrival.Part first, Work work, long nowNanos) {
    this.origin = first.entry().origin();
    this.parts = first.entry().parts();
    this.bytes = work instanceof Work.Large ? 0 : first.entry().body().length;
    this.work = work;
    this.seenNanos = nowNanos;
    indexes.add(first.index());
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
    seenNanos = nowNanos;
    return true;
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
            new FileRequest.Put(large.path(), new FileContent.Staged(content), large.options())));
  }
}
