package dev.upcall.trees;

import dev.upcall.FileInfo;
import dev.upcall.StorePath;
import dev.upcall.config.Limits;
import java.util.List;
import java.util.Objects;

/**
 * One entry of a walk.
 *
 * @param path where it was met
 * @param depth how many names below the start
 * @param info what it is, as of some moment since its directory was listed
 */
public record TreeEntry(StorePath path, int depth, FileInfo info) {
  /** Checks that the path is that deep. */
  public TreeEntry {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(info, "info");
    Limits.within("depth", depth, 0, path.names().size());
  }

  /** Where it is as seen from the start: its last names, with slashes; empty for the start. */
  public String relative() {
    List<String> names = path.names();
    return String.join("/", names.subList(names.size() - depth, names.size()));
  }
}
