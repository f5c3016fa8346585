package dev.upcall.nio.content;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Opens the content of a file that a path led to. */
public interface Contents {
  /**
   * The content.
   *
   * @param path what led to it
   * @param id the file
   * @param durable whether each write is durable when it returns, whatever the file system does
   */
  Content open(StorePath path, long id, boolean durable);

  /**
   * The file that a path leads to, with attributes of what is committed; null where that is
   * nothing, or where the store must be asked.
   */
  default @Nullable FileInfo find(StorePath place, LinkPolicy links) {
    return null;
  }

  /**
   * The file that a path leads to, as far as that is known without waiting for what is collected.
   *
   * @param isKnown whether it is
   * @param there null if it leads nowhere, or if that is not known
   */
  record Look(boolean isKnown, @Nullable FileInfo there) {
    /** The store must be asked. */
    public static final Look UNKNOWN = new Look(false, null);
  }

  /** Looks at what a path leads to. */
  default Look look(StorePath place, LinkPolicy links) {
    return Look.UNKNOWN;
  }

  /**
   * Takes a change of metadata to be committed later, if that can be: everybody sees it when this
   * returns.
   *
   * @param change by what is there, of which it needs nothing that another one here changes
   * @return false if nothing was taken, and it must be committed at once
   */
  default boolean collect(
      StorePath place, LinkPolicy links, Function<FileInfo, MetadataChange> change) {
    return false;
  }

  /** All that was done before is durable when this returns. */
  default void force() {}
}
