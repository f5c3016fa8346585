package dev.upcall.nio.collected;

import dev.upcall.StorePath;
import dev.upcall.UpcallException;

/**
 * What a file is to be made as that channels have made and nobody has committed yet.
 *
 * @param name in a directory that is known by its id; {@link FilesById#areNamesChanging} says how
 *     it is known that nothing has it
 * @param mode permission bits
 * @param fate told what becomes of it
 */
public record Making(StorePath name, int mode, Fate fate) {
  /** The largest file that waits to be made: a larger one is made, and then written on. */
  static final int MAX_BYTES = 256 << 10;

  /** Told once, by either of both, on any thread, which holds the file's writes: takes no locks. */
  public interface Fate {
    /** It is made, with an id, and can be found by its name; nobody could ask for it by id yet. */
    void made(long id);

    /** It never will be. */
    void givenUp();
  }

  /** What is known of a file that is new. */
  public record Seen(long sizeBytes, int mode) {}

  /**
   * One that is being made.
   *
   * @param writes to be told how it ended
   */
  record Begun(PendingWrites writes, FilesById.NewFile file) {
    int bytes() {
      return file.content().length;
    }

    /** The same without content. */
    FilesById.NewFile empty() {
      return new FilesById.NewFile(file.name(), file.mode(), new byte[0]);
    }
  }

  /** Why it can never be made: where it was to be, somebody else made something, or took all. */
  static boolean isForGood(RuntimeException why) {
    return why instanceof UpcallException.AlreadyExists
        || why instanceof UpcallException.NotFound
        || why instanceof UpcallException.NotADirectory;
  }
}
