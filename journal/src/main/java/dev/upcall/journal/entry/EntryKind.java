package dev.upcall.journal.entry;

import org.jspecify.annotations.Nullable;

/** What an entry's body is. */
public enum EntryKind {
  /** A {@link Request}, or a part of one. */
  REQUEST(1);

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
