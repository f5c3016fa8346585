package dev.upcall.journal.entry;

import java.util.List;

/**
 * What a producer asks of the store, without the contents: those follow it, in the order of the
 * requests that have some. Paths are absolute; what else the store's rules ask of a path, a name or
 * a condition is judged when it does the request.
 *
 * <p>The constructors throw {@link IllegalArgumentException} for what no store could do.
 */
public sealed interface Request {
  /** The longest path, in bytes of UTF-8. */
  int MAX_PATH_BYTES = 0xffff;

  /** How many bytes of content follow. */
  default long contentBytes() {
    return 0;
  }

  /**
   * Makes or replaces a whole file.
   *
   * @param parents whether missing parent directories are made
   */
  record Put(String path, Condition condition, boolean parents, long contentBytes)
      implements Request {
    /** Checks the path and the size. */
    public Put {
      RequestPath.check(path);
      check(contentBytes >= 0, "a content of " + contentBytes + " bytes");
    }
  }

  /** Writes a range of a file that is there; what lies between its end and the range is zeros. */
  record Write(String path, long offset, long contentBytes) implements Request {
    /** Checks the path and the range. */
    public Write {
      RequestPath.check(path);
      checkPiece(contentBytes);
      check(
          offset >= 0 && offset <= Long.MAX_VALUE - contentBytes,
          "there is no offset " + offset + " in a file");
    }
  }

  /** Writes at the end of a file, which is made if it is missing. */
  record Append(String path, long contentBytes) implements Request {
    /** Checks the path and the size. */
    public Append {
      RequestPath.check(path);
      checkPiece(contentBytes);
    }
  }

  /** Deletes a file, a link or an empty directory. */
  record Delete(String path, Condition condition) implements Request {
    /** Checks the path. */
    public Delete {
      RequestPath.check(path);
    }
  }

  /** Deletes whatever is there with all below it. */
  record DeleteTree(String path, Condition condition) implements Request {
    /** Checks the path. */
    public DeleteTree {
      RequestPath.check(path);
    }
  }

  /**
   * Renames a file, a link or a directory.
   *
   * @param target the condition of what is under the new name
   */
  record Rename(String from, String to, Condition target) implements Request {
    /** Checks the paths. */
    public Rename {
      RequestPath.check(from);
      RequestPath.check(to);
    }
  }

  /**
   * Makes a directory.
   *
   * @param parents whether missing parents are made too and an existing directory is a success
   */
  record CreateDirectory(String path, boolean parents) implements Request {
    /** Checks the path. */
    public CreateDirectory {
      RequestPath.check(path);
    }
  }

  /**
   * All of them or none; later ones see what earlier ones did. With its contents it fits one entry,
   * and it holds no ranges, no appends and no batches.
   */
  record Batch(List<Request> requests) implements Request {
    /** The most requests. */
    public static final int MAX_REQUESTS = 4096;

    /** Copies the list and checks it. */
    public Batch {
      requests = List.copyOf(requests);
      check(
          !requests.isEmpty() && requests.size() <= MAX_REQUESTS,
          "a batch of " + requests.size() + " requests");
      long contents = 0;
      for (Request request : requests) {
        boolean mayBeIn =
            switch (request) {
              case Put _, Delete _, DeleteTree _, Rename _, CreateDirectory _ -> true;
              case Write _, Append _, Batch _ -> false;
            };
        check(mayBeIn, "a batch holds no ranges, appends and batches");
        checkPiece(request.contentBytes());
        contents += request.contentBytes();
      }
      checkPiece(contents);
    }

    @Override
    public long contentBytes() {
      return requests.stream().mapToLong(Request::contentBytes).sum();
    }
  }

  private static void checkPiece(long contentBytes) {
    check(
        contentBytes >= 0 && contentBytes <= Entry.MAX_BODY_BYTES,
        "%d bytes of content, at most %d fit one entry"
            .formatted(contentBytes, Entry.MAX_BODY_BYTES));
  }

  private static void check(boolean holds, String wrong) {
    if (!holds) {
      throw new IllegalArgumentException(wrong);
    }
  }
}
