package dev.upcall.journal.entry;

import org.jspecify.annotations.Nullable;

/** What an entry's body is. */
public enum EntryKind {
  /** A {@link dev.upcall.request.codec.Submission}, or a part of one. */
  REQUEST(1),
  /** What became of a request: a {@link Reply}. */
  REPLY(2),
  /** A {@link DeadLetter}, behind which entries of its request stand. */
  DEAD_LETTER(3),
  /** No body: the dead letters of its origin before it are of no use any more. */
  DROPPED(4);

  private final int code;

  EntryKind(int code) {
    this.code = code;
  }

  /** The byte that stands for it. */
  int code() {
    return code;
  }

  static @Nullable EntryKind of(int code) {
    for (EntryKind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    return null;
  }
}
