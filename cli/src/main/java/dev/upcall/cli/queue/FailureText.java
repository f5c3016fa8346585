package dev.upcall.cli.queue;

import dev.upcall.journal.entry.FailureCode;
import java.util.Locale;

/** Failures of requests as commands name them. */
final class FailureText {
  private FailureText() {}

  /** The name that the store itself has for it: NotFound for NOT_FOUND. */
  static String kind(FailureCode code) {
    StringBuilder name = new StringBuilder();
    for (String word : code.name().split("_", -1)) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }
}
