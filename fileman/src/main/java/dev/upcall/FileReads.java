package dev.upcall;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.LeaseOwner;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be asked of files without changing them: of the present state ({@link
 * FileManager}) or of one moment ({@link FileSnapshot}). Called on the dispatcher's thread;
 * completions never come inside the call.
 *
 * <p>Failures that every method may have besides those it names: {@code NotFound}, {@code
 * NotADirectory} and {@code LinkLoop} (the way to the name), {@code Corrupt}, {@code Device},
 * {@code Busy}, {@code Closed}.
 */
public interface FileReads extends AsyncReads {
  /**
   * Opens for reading and holds the version found, in one step; symbolic links are followed. A
   * directory gives its metadata only.
   *
   * @param owner who answers for the frames that reads will pin
   */
  void openRead(CharSequence path, LeaseOwner owner, CompletionPort<OpenFile> port);

  /**
   * As {@link #openRead}, at once, if everything on the way to the file is in memory: what would be
   * its completion is what this returns. Else, and where it is not offered (as in snapshots and
   * transactions), null: nothing was started, and {@code openRead} finds out. With {@link
   * dev.upcall.segment.PinnedContent#tryRead} a file in memory is opened, read and closed within
   * one upcall. Changes that were asked for before and are not completed may not be seen.
   */
  @Nullable Completion<OpenFile> tryOpenRead(CharSequence path, LeaseOwner owner);
}
