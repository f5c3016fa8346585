package dev.upcall.table;

import dev.upcall.FileInfo;
import dev.upcall.MetadataChange;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;

/** How a table is used, which its attribute {@value #ATTRIBUTE} says; its entries say what of. */
public enum TableMethod {
  /** As a {@link SortedTable}: without the attribute. */
  SORTED,
  /** As a {@link HashTable}: before each key stands a hash. */
  HASHED,
  /** As {@link Records}: keys are ids, and that of 0 is the table's own. */
  RECORDS,
  /** As an {@link Index} of records. */
  INDEX;

  /** The attribute of a table; it is set when the table is made. */
  public static final String ATTRIBUTE = "upcall.table";

  /**
   * The method of a table.
   *
   * @throws UpcallException {@code IsADirectory}, and {@code Invalid} for what else is no table, or
   *     one of a method that is not known here
   */
  public static TableMethod of(CharSequence path, FileInfo info) {
    Objects.requireNonNull(path, "path");
    if (Objects.requireNonNull(info, "info").isDirectory()) {
      throw UpcallException.of(new Failure.IsADirectory(path.toString()));
    }
    if (!info.isTable()) {
      throw UpcallException.of(
          new Failure.Invalid("%s is a %s, no table".formatted(path, info.kindName())));
    }
    byte[] said = info.attributes().get(ATTRIBUTE);
    if (said == null) {
      return SORTED;
    }
    String word = new String(said, StandardCharsets.UTF_8);
    for (TableMethod method : values()) {
      if (method.word().equals(word)) {
        return method;
      }
    }
    throw UpcallException.of(
        new Failure.Invalid("%s is a table of method %s, not known here".formatted(path, word)));
  }

  /** How it is written. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The attribute with which a table is made. */
  MetadataChange metadata() {
    return this == SORTED
        ? MetadataChange.NONE
        : MetadataChange.NONE.withAttribute(ATTRIBUTE, word().getBytes(StandardCharsets.UTF_8));
  }
}
