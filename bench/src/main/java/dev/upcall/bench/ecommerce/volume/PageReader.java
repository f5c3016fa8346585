package dev.upcall.bench.ecommerce.volume;

import dev.upcall.content.ContentSlice;
import java.nio.ByteBuffer;

/**
 * Reads pages from their files and looks at every one: a wrong byte ends the run. Dispatcher's
 * thread only.
 */
final class PageReader {
  private static final int CHECKED_AT_ONCE = 16;

  private final TableFiles files;
  private final Versions versions;
  private final Trouble trouble;
  private final PageContent content = new PageContent();

  PageReader(TableFiles files, Versions versions, Trouble trouble) {
    this.files = files;
    this.versions = versions;
    this.trouble = trouble;
  }

  /** Reads consecutive pages of one file; {@code then} runs when all were there and right. */
  void read(long page, int pages, Runnable then) {
    PageFile file = files.of(page);
    int[] least = new int[pages];
    for (int i = 0; i < pages; i++) {
      least[i] = versions.written(page + i);
    }
    file.read(
        page,
        pages,
        trouble.port(
            "read of " + file.place().path(),
            slice -> {
              int read = check(file, page, slice, least);
              if (read == pages) {
                then.run();
              } else if (read > 0) {
                read(page + read, pages - read, then);
              }
            }));
  }

  /** How many pages were read and are right; 0 when one is not, which is told. */
  private int check(PageFile file, long page, ContentSlice slice, int[] least) {
    ByteBuffer bytes = ByteBuffer.allocate(slice.sizeBytes());
    slice.buffers().forEach(buffer -> bytes.put(buffer.duplicate()));
    slice.release();
    bytes.flip();
    int pages = bytes.remaining() / PageContent.BYTES;
    if (pages == 0 || bytes.remaining() % PageContent.BYTES != 0) {
      trouble.found(
          "%s: %d bytes were read where page %d is"
              .formatted(file.place().path(), bytes.remaining(), page));
      return 0;
    }
    for (int i = 0; i < pages; i++) {
      String wrong = content.wrong(page + i, bytes, least[i], versions.present(page + i));
      if (wrong != null) {
        trouble.found(file.place().path() + ": " + wrong);
        return 0;
      }
    }
    return pages;
  }

  /** Reads all pages of all files back; {@code then} runs when every byte is right. */
  void readAll(Runnable then) {
    readFrom(0, then);
  }

  private void readFrom(long page, Runnable then) {
    if (page == files.endPage()) {
      then.run();
      return;
    }
    int pages = (int) Math.min(CHECKED_AT_ONCE, files.of(page).place().endPage() - page);
    read(page, pages, () -> readFrom(page + pages, then));
  }
}
