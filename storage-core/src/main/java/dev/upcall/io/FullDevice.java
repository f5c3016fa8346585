package dev.upcall.io;

import dev.upcall.completion.Failure;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** What there is to say when a volume's device has no room. Blocks: a helper thread's work. */
final class FullDevice {
  private FullDevice() {}

  /** The failure when it is not the device that is full, but the file that may not be larger. */
  static Failure tooLarge(long neededBytes, String volume, String words) {
    String file =
        "the file of volume %s is as large as this process (ulimit -f) or its file system allows (%s)"
            .formatted(volume, words);
    return new Failure.VolumeFull(neededBytes, Failure.VolumeFull.NOT_OF_ROOM, 0, file);
  }

  /**
   * The failure.
   *
   * @param volume the volume's path
   * @param words the operating system's
   */
  static Failure failure(long neededBytes, String volume, String words) {
    try {
      Path path = Path.of(volume).toAbsolutePath();
      FileStore store = Files.getFileStore(Files.exists(path) ? path : path.getParent());
      String device = "file system %s for volume %s (%s)".formatted(store, volume, words);
      return new Failure.VolumeFull(neededBytes, store.getUsableSpace(), 0, device);
    } catch (IOException unknown) {
      System.getLogger(FullDevice.class.getName())
          .log(System.Logger.Level.DEBUG, "what a volume lies on is not known", unknown);
      String device = "the file system of volume %s (%s)".formatted(volume, words);
      return new Failure.VolumeFull(neededBytes, 0, 0, device);
    }
  }
}
