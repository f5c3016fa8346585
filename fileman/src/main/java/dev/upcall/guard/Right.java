package dev.upcall.guard;

import java.util.Locale;
import java.util.Optional;

/** The rights of a caller on a path. None of them includes another. */
public enum Right {
  /** See a directory's entries. */
  LIST,
  /** Read a file. */
  READ,
  /** Make, replace, change and delete. */
  WRITE;

  /** The word of rules and commands. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The right of a word. */
  static Optional<Right> of(String word) {
    return switch (word) {
      case "list" -> Optional.of(LIST);
      case "read" -> Optional.of(READ);
      case "write" -> Optional.of(WRITE);
      default -> Optional.empty();
    };
  }
}
