package dev.upcall.journal.queue;

import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.queue.EntryFile.Document;
import dev.upcall.journal.queue.EntryFile.Kind;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A file from its beginning to its end, damaged or not: each of its whole entries once, in order,
 * and for what lies between them and is damaged one range.
 *
 * <p>An entry that is not whole is believed if the documents behind it lead to a whole one or to
 * the end of what is written, and none begins inside them. Else the next whole entry is looked for,
 * by its mark, header and checksum, and all before it is damaged. A content that has entries in it
 * may be taken for them where the headers around it are.
 */
final class EntryWalk {
  /**
   * How long nothing comes before it is looked for behind a gap of a file that still grows; twice
   * as long each time that nothing is there, up to a bound.
   */
  private static final long PATIENCE_MILLIS = 1000;

  private static final long MAX_PATIENCE_MILLIS = 60_000;

  private final EntryFile file;

  /** The next header. */
  private long at;

  /** Headers before this one are believed. */
  private long trusted;

  /** The header that is not. */
  private long doubted = EntryFile.NOWHERE;

  /** Where nothing came. */
  private long stuckAt = EntryFile.NOWHERE;

  private long stuckMillis;
  private long patienceMillis;

  /** Whether nothing was behind the last gap: where there is one, there may be many. */
  private boolean isPatient = true;

  /** Before the first document. */
  EntryWalk(EntryFile file) {
    this.file = file;
  }

  /** Goes on somewhere where a whole entry ends, or begins. */
  void goTo(long position) {
    at = position;
  }

  /** Whether it has passed nothing, not even what the library writes first. */
  boolean isAtBegin() {
    return at == 0;
  }

  /**
   * The next entry, or damaged range; null when there is none, or none yet.
   *
   * @param isFinal whether nothing is appended any more; then null is the end
   * @param nowMillis by which it looks behind gaps of a file that is not final
   */
  @Nullable Indexed next(boolean isFinal, long nowMillis) throws IOException {
    Document here = file.document(at);
    while (here.kind() != Kind.END) {
      byte[] bytes = here.kind() == Kind.ENTRY ? file.bytes(here) : null;
      boolean isWhole = bytes != null && EntryCodec.isWhole(bytes);
      if (!isWhole && at >= trusted && (at == doubted || !isBelieved(here))) {
        doubted = at;
        return behindGap(isFinal, nowMillis, isFinal ? file.size() : EntryFile.NOWHERE);
      }
      at = here.end();
      if (bytes != null) {
        return new Indexed(EntryPlace.index(file.cycle(), here.at()), bytes);
      }
      here = file.document(at);
    }
    return behindGap(isFinal, nowMillis, EntryFile.NOWHERE);
  }

  /** Whether it, and those that it leads to up to what is whole or an end, hide nothing. */
  private boolean isBelieved(Document first) throws IOException {
    if (first.kind() == Kind.LIBRARY) {
      // Nothing of it is served, so its end need not be right: it is seen there.
      return file.find(first.at() + 1, first.end()) == EntryFile.NOWHERE;
    }
    Document next = first;
    while (next.kind() == Kind.ENTRY || next.kind() == Kind.LIBRARY) {
      if (next.at() > first.at() && file.isWhole(next)) {
        break;
      }
      if (file.find(next.at() + 1, next.end()) != EntryFile.NOWHERE) {
        return false;
      }
      next = file.document(next.end());
    }
    if (next.kind() == Kind.BROKEN) {
      return false;
    }
    trusted = next.at();
    return true;
  }

  /**
   * What is between here and the next whole entry, if that is there.
   *
   * @param otherwise up to where it is damaged if there is none; {@link EntryFile#NOWHERE} for not
   */
  private @Nullable Indexed behindGap(boolean isFinal, long nowMillis, long otherwise)
      throws IOException {
    if (!isFinal && !isPatienceOver(nowMillis)) {
      return null;
    }
    Document gap = file.document(at);
    long whole = file.find(at + 1, file.size());
    isPatient = whole == EntryFile.NOWHERE;
    long end = isPatient ? otherwise : whole;
    if (end <= at) {
      return null;
    }
    if (!file.document(at).equals(gap)) {
      // Entries were appended meanwhile, and what was found is one of them.
      return next(isFinal, nowMillis);
    }
    long index = EntryPlace.index(file.cycle(), at);
    long bytes = end - at;
    at = end;
    return Indexed.damaged(index, bytes);
  }

  private boolean isPatienceOver(long nowMillis) {
    if (stuckAt != at) {
      stuckAt = at;
      stuckMillis = nowMillis;
      patienceMillis = isPatient ? PATIENCE_MILLIS : 0;
    }
    boolean isOver = nowMillis - stuckMillis >= patienceMillis;
    if (isOver) {
      stuckMillis = nowMillis;
      patienceMillis = Math.clamp(2 * patienceMillis, PATIENCE_MILLIS, MAX_PATIENCE_MILLIS);
    }
    return isOver;
  }
}
