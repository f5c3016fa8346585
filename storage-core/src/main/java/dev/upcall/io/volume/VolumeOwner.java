package dev.upcall.io.volume;

import java.nio.file.Path;
import java.util.List;

/** Who has a volume open to write. */
public final class VolumeOwner {
  private VolumeOwner() {}

  /**
   * The processes that are seen to hold its lock for writing, which is one, or none: where it is
   * not open, or by a process of another user, in another container, or of another machine. A
   * handle stands for the process that held it, never for a later one with its number. Looks
   * through all processes, and blocks.
   */
  public static List<ProcessHandle> find(Path volume) {
    List<ProcessHandle> writers = LockHolder.writers(volume);
    return writers.isEmpty() ? LockHolder.writers(VolumeOpener.sidecar(volume)) : writers;
  }
}
