package dev.upcall.fileman.trees;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.config.Compression;
import dev.upcall.content.StagedContent;
import java.io.InputStream;
import java.util.Optional;

/** Takes content that is too large to ride in a batch. */
interface LargeContent {
  /**
   * Brings content to the store, to be taken by the file at a target; compressed as a put of that
   * file with this metadata would be.
   */
  StagedContent stage(InputStream content, StorePath target, MetadataChange metadata);

  /** The way in which it comes to a store. */
  static LargeContent of(Upcall store) {
    return (content, target, metadata) ->
        Compression.of(metadata.attributes())
            .or(() -> chosen(store, target))
            .map(degree -> store.stage(content, degree))
            .orElseGet(() -> store.stage(content));
  }

  /** The choice of what is there, or else of the nearest directory above that is. */
  private static Optional<Compression> chosen(Upcall store, StorePath target) {
    for (int names = target.names().size(); names >= 0; names--) {
      Optional<FileInfo> there = found(store, target.before(names));
      if (there.isPresent()) {
        return there.get().compression();
      }
    }
    return Optional.empty();
  }

  private static Optional<FileInfo> found(Upcall store, StorePath path) {
    try {
      return Optional.of(store.stat(path, LinkPolicy.NO_FOLLOW));
    } catch (UpcallException.NotFound missing) {
      return Optional.empty();
    }
  }
}
