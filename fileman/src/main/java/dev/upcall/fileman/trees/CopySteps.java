package dev.upcall.fileman.trees;

import dev.upcall.FileInfo;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.trees.TreeEntry;
import java.util.Map;

/** How a file comes to have the content that another has. */
interface CopySteps {
  /** The step that makes one file of another. */
  ImportStep file(TreeEntry source, StorePath target);

  /**
   * What a copy has of what it is made of. Not the mark of an import: of the copy's place nothing
   * was imported, and what is gone from that source must not take the copy along.
   */
  static MetadataChange metadata(FileInfo source) {
    MetadataChange metadata =
        MetadataChange.NONE
            .withMode(source.mode())
            .withOwner(source.owner())
            .withModifiedNanos(source.times().modifiedNanos());
    for (Map.Entry<String, byte[]> attribute : source.attributes().entrySet()) {
      if (!attribute.getKey().equals(ImportMark.ATTRIBUTE)) {
        metadata = metadata.withAttribute(attribute.getKey(), attribute.getValue());
      }
    }
    return metadata;
  }
}
