package dev.upcall.nio;

import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a directory, read by pages. What is there all the time comes exactly once; what
 * comes or goes meanwhile may come or not. One thread at a time; closed by any.
 */
final class UpcallDirectoryStream implements DirectoryStream<Path> {
  private static final int PAGE_NAMES = 512;

  private final UpcallReads reads;
  private final UpcallPath directory;
  private final StorePath place;
  private final Filter<? super Path> filter;
  private final Deque<String> ahead = new ArrayDeque<>();
  private @Nullable String last;
  private boolean more = true;
  private boolean taken;
  private volatile boolean closed;

  /**
   * A stream; the first page is read at once.
   *
   * @param directory as the program named it: what comes is below that
   * @param place where it is
   */
  UpcallDirectoryStream(
      UpcallReads reads, UpcallPath directory, StorePath place, Filter<? super Path> filter) {
    this.reads = reads;
    this.directory = directory;
    this.place = place;
    this.filter = filter;
    nextPage();
  }

  private void nextPage() {
    Listing.Names page =
        reads.names(
            place,
            new Listing.Range(Optional.ofNullable(last), Listing.Direction.ASCENDING, PAGE_NAMES));
    for (String name : page.names()) {
      if (!place.isRoot() || !OpenFiles.isHiddenName(name)) {
        ahead.add(name);
      }
      last = name;
    }
    more = page.hasMore();
  }

  @Override
  public Iterator<Path> iterator() {
    if (closed) {
      throw new IllegalStateException("the directory stream of " + directory + " is closed");
    }
    if (taken) {
      throw new IllegalStateException("a directory stream has one iterator: " + directory);
    }
    taken = true;
    return new Entries();
  }

  @Override
  public void close() {
    closed = true;
  }

  private final class Entries implements Iterator<Path> {
    private @Nullable Path next;

    @Override
    public boolean hasNext() {
      while (next == null && !closed && find()) {
        Path found = directory.resolve(directory.system().getPath(ahead.removeFirst()));
        next = accepts(found) ? found : null;
      }
      return next != null;
    }

    @Override
    public Path next() {
      Path found = hasNext() ? next : null;
      if (found == null) {
        throw new NoSuchElementException();
      }
      next = null;
      return found;
    }
  }

  private boolean find() {
    try {
      while (ahead.isEmpty() && more) {
        nextPage();
      }
      return !ahead.isEmpty();
    } catch (UpcallException failed) {
      throw new DirectoryIteratorException(Failures.exception(failed, directory.toString(), null));
    }
  }

  private boolean accepts(Path path) {
    try {
      return filter.accept(path);
    } catch (IOException failed) {
      throw new DirectoryIteratorException(failed);
    }
  }
}
