package dev.upcall.cli.queue;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.UpcallReads;
import dev.upcall.feed.Backlog;
import dev.upcall.feed.Position;
import dev.upcall.journal.entry.Decoded;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.queue.Entries;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import dev.upcall.journal.queue.QueueDirectory;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.journal.queue.StoredEntries;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * How far a store has done a queue, and what is left.
 *
 * @param committed null when it has done nothing of it
 * @param left entries behind that; some of them may be done
 * @param oldestMillis when the first of them was appended, since 1970; 0 when there is none
 */
record Remainder(@Nullable Position committed, Backlog left, long oldestMillis) {
  private static final long SECOND_MILLIS = 1000;

  /** Reads the queue from there to its end. */
  static Remainder of(QueueDirectory directory, UpcallReads store) throws QueueException {
    Position committed = Position.in(store, directory.id()).orElse(null);
    Backlog left = Backlog.NONE;
    long oldestMillis = 0;
    try (Entries queue = StoredEntries.of(directory.requests(), System::currentTimeMillis)) {
      Indexed next = queue.next(committed == null ? Entries.NONE : committed.index());
      while (next != null) {
        left = left.with(next);
        if (oldestMillis == 0
            && EntryCodec.decode(next.bytes()) instanceof Decoded.Value<Entry>(Entry entry)) {
          oldestMillis = entry.appendedMillis();
        }
        next = queue.next(next.index());
      }
    }
    return new Remainder(committed, left, oldestMillis);
  }

  String position() {
    return committed == null
        ? "nothing"
        : "up to entry %x, generation %d".formatted(committed.index(), committed.generation());
  }

  String backlog() {
    String all = "%d entries, %d bytes".formatted(left.entries(), left.bytes());
    return oldestMillis == 0 ? all : all + ", the oldest put in %d s ago".formatted(ageSeconds());
  }

  void write(JsonGenerator json) throws IOException {
    if (committed == null) {
      json.writeNullField("committed");
    } else {
      json.writeObjectFieldStart("committed");
      json.writeNumberField("generation", committed.generation());
      json.writeStringField("entry", Long.toHexString(committed.index()));
      json.writeEndObject();
    }
    json.writeObjectFieldStart("backlog");
    json.writeNumberField("entries", left.entries());
    json.writeNumberField("bytes", left.bytes());
    json.writeNumberField("oldestSeconds", oldestMillis == 0 ? 0 : ageSeconds());
    json.writeEndObject();
  }

  private long ageSeconds() {
    return Math.max(0, System.currentTimeMillis() - oldestMillis) / SECOND_MILLIS;
  }
}
