package dev.upcall.request;

import dev.upcall.FileInfo;
import dev.upcall.StorePath;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a path leads, for those who judge about places and not about names: a path that they allow
 * may lead over symbolic links to a place that they do not.
 *
 * @param info what is there; nothing where the way ends before, is no way, or goes round in links
 * @param led the places to which links on the way have led, by their own paths, which hold no link:
 *     each further link, and last the end of the way, also where nothing is. Empty where the way
 *     has no link. Of a path that begins at a directory known by its id they begin there, too
 * @param fixed a path of the same end that no link on the way can lead elsewhere from now on: from
 *     the last directory of the way, known by its id, on. Where the way is refused, the path itself
 */
public record Resolved(Optional<FileInfo> info, List<StorePath> led, StorePath fixed) {
  /** Checks that nothing is missing. */
  public Resolved {
    Objects.requireNonNull(info, "info");
    led = List.copyOf(Objects.requireNonNull(led, "led"));
    Objects.requireNonNull(fixed, "fixed");
  }
}
