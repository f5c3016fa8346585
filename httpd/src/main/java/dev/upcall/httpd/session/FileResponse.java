package dev.upcall.httpd.session;

import dev.upcall.FileInfo;
import dev.upcall.OpenFile;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.ContentSlice;
import dev.upcall.httpd.answer.FileAnswer;
import dev.upcall.httpd.message.ContentCoding;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A file under way to a client of a session: the version that is held, and what it answers. */
final class FileResponse extends FileAnswer {
  private final OpenFile file;
  private final PinnedContent content;

  /** A response of all bytes of an open file, which passes to it. */
  FileResponse(OpenFile file) {
    this(file, file.info(), null);
  }

  /**
   * The same of a file that stands for another one.
   *
   * @param as what is told of it
   */
  FileResponse(OpenFile file, FileInfo as, @Nullable ContentCoding coding) {
    super(as, coding);
    this.file = file;
    this.content = Objects.requireNonNull(file.content(), "a directory has no content");
  }

  /** The next bytes if they are in memory, maybe fewer of them, else null. */
  @Nullable ContentSlice tryNext(int bytes) {
    return content.tryRead(offset(), bytes);
  }

  /** Asks the store for the next bytes; fewer may come. */
  void readNext(int bytes, CompletionPort<ContentSlice> port) {
    content.read(offset(), bytes, IoClass.FOREGROUND_READ, port);
  }

  /** As {@link #tryNext}, from anywhere. */
  @Nullable ContentSlice tryAt(long offset, int bytes) {
    return content.tryRead(offset, bytes);
  }

  /** As {@link #readNext}, from anywhere. */
  void readAt(long offset, int bytes, CompletionPort<ContentSlice> port) {
    content.read(offset, bytes, IoClass.FOREGROUND_READ, port);
  }

  /** Gives the version back; slices may still be on their way. */
  void close() {
    file.close();
  }
}
