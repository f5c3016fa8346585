package dev.upcall.fileman.trees;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.config.Compression;
import dev.upcall.config.ContentConfig;
import dev.upcall.config.Dedup;
import dev.upcall.content.StagedContent;
import java.io.InputStream;
import java.util.Optional;

/** Takes content that is too large to ride in a batch. */
interface LargeContent {
  /**
   * Brings content to the store, to be taken by the file at a target; compressed, and compared with
   * what files have, as a put of that file with this metadata would be.
   */
  StagedContent stage(InputStream content, StorePath target, MetadataChange metadata);

  /** The way in which it comes to a store. */
  static LargeContent of(Upcall store) {
    ContentConfig usual = store.config().limits().content();
    return (content, target, metadata) -> {
      Optional<FileInfo> there = nearest(store, target);
      Compression degree =
          Compression.of(metadata.attributes())
              .or(() -> there.flatMap(FileInfo::compression))
              .orElse(usual.compression());
      Dedup dedup =
          Dedup.of(metadata.attributes())
              .or(() -> there.flatMap(FileInfo::dedup))
              .orElse(usual.dedup());
      return store.stage(content, degree, dedup);
    };
  }

  /** The entry at a path, or else the nearest directory above it that is there. */
  private static Optional<FileInfo> nearest(Upcall store, StorePath target) {
    for (int names = target.names().size(); names >= 0; names--) {
      Optional<FileInfo> there = found(store, target.before(names));
      if (there.isPresent()) {
        return there;
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
