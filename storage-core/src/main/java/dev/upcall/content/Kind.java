package dev.upcall.content;

/** What a segment is. The code is stored. */
public enum Kind {
  /** Bytes. */
  FILE(1),
  /** A set of names; has no bytes. */
  DIRECTORY(2),
  /** A path as text, kept as content inside the inode. */
  SYMBOLIC_LINK(3),
  /** A set of keys with values; has no bytes. */
  TABLE(4);

  private final int code;

  Kind(int code) {
    this.code = code;
  }

  /** The stored form. */
  public int code() {
    return code;
  }

  /** Whether one can go by itself at a time. */
  public boolean mayExpire() {
    return this == FILE || this == TABLE;
  }

  /** The kind of a stored code; throws {@link IllegalArgumentException} for an unknown one. */
  public static Kind of(int code) {
    return switch (code) {
      case 1 -> FILE;
      case 2 -> DIRECTORY;
      case 3 -> SYMBOLIC_LINK;
      case 4 -> TABLE;
      default ->
          throw new IllegalArgumentException("code is " + code + ", which is no kind of segment");
    };
  }
}
