package dev.upcall.fileman.trees.host;

import dev.upcall.fileman.trees.host.HostEntry.FileKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Files and folders of the host that a transfer leaves alone: those of the store itself, and those
 * that its caller has named. Each is known by its device and inode, so that a hard link is the same
 * file, and by its name, under which it may be made yet.
 */
public final class ExcludedFiles {
  private final Set<FileKey> keys = new LinkedHashSet<>();
  private final Set<Path> names = new LinkedHashSet<>();

  /** Looks at these; they need not exist. */
  public ExcludedFiles(List<Path> files) throws IOException {
    for (Path file : files) {
      Path absolute = file.toAbsolutePath();
      Path folder = absolute.getParent();
      if (folder != null && Files.exists(folder)) {
        names.add(folder.toRealPath().resolve(absolute.getFileName()));
      }
      if (Files.exists(file)) {
        keys.add(HostEntry.of(file.toRealPath()).key());
      }
    }
  }

  /** Whether what was found under some name is one of them. */
  public boolean hold(HostEntry found) {
    return keys.contains(found.key());
  }

  /**
   * Whether a name, in a folder whose real path it begins with, is one of theirs or leads to one.
   */
  public boolean hold(Path path) throws IOException {
    if (names.contains(path)) {
      return true;
    }
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    return hold(HostEntry.of(path))
        || Files.isSymbolicLink(path)
            && Files.exists(path)
            && hold(HostEntry.of(path.toRealPath()));
  }
}
