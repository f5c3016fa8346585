package dev.upcall;

import dev.upcall.segment.PinnedContent;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file opened for reading: exactly the version that was committed when it was opened, whatever is
 * written, renamed or deleted meanwhile. Dispatcher's thread only; must be closed.
 *
 * @param info metadata of that version
 * @param content its content; null for a directory
 * @param led where symbolic links have led on the way to it; see {@link
 *     dev.upcall.request.Resolved#led}
 */
@SuppressWarnings("exports") // what content is made of is named by the modules of this project
public record OpenFile(FileInfo info, @Nullable PinnedContent content, List<StorePath> led)
    implements AutoCloseable {
  /** Checks that nothing is missing. */
  public OpenFile {
    Objects.requireNonNull(info, "info");
    Objects.requireNonNull(led, "led");
  }

  /** One to which no symbolic link has led. */
  public OpenFile(FileInfo info, @Nullable PinnedContent content) {
    this(info, content, List.of());
  }

  /** Gives the version back; slices already delivered stay valid until released. */
  @Override
  public void close() {
    if (content != null) {
      content.close();
    }
  }
}
