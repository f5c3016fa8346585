package dev.upcall.nio.host;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * A call that both the host's file system and a store's are asked, and what it came to as text.
 *
 * @param name what it is
 * @param body makes what it needs below an empty directory, and calls
 */
record Call(String name, Body body) {
  /** What is called. */
  interface Body {
    Object run(Path root) throws Exception;
  }

  /** The result, or the exception with the files that it names; the root is {@code @}. */
  String outcome(Path root) {
    try {
      return text(root, body.run(root));
    } catch (FileSystemException failed) {
      return failed.getClass().getName()
          + " of "
          + text(root, failed.getFile())
          + " and "
          + text(root, failed.getOtherFile());
    } catch (IOException | RuntimeException failed) {
      return failed.getClass().getName();
    } catch (Exception unexpected) {
      throw new AssertionError(name, unexpected);
    }
  }

  private static String text(Path root, Object value) {
    return String.valueOf(value).replace(root.toString(), "@");
  }

  @Override
  public String toString() {
    return name;
  }
}
