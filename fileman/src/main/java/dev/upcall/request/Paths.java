package dev.upcall.request;

import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import java.util.Objects;

/** Paths that may be given as text. */
final class Paths {
  private Paths() {}

  /** An argument of a request; a text that is no path is {@link UpcallException.Invalid}. */
  static StorePath parsed(String argument, CharSequence path) {
    Objects.requireNonNull(path, argument);
    return UpcallException.value(StorePath.parse(path));
  }
}
