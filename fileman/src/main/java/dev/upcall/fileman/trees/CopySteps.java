package dev.upcall.fileman.trees;

import dev.upcall.FileInfo;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.fileman.trees.ImportStep.Prepared;
import dev.upcall.trees.TreeEntry;
import java.io.IOException;
import java.util.Map;

/** How a file comes to have the content that another has. */
interface CopySteps {
  /** What has to be asked for one file. */
  Prepared file(TreeEntry source, StorePath target) throws IOException;

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
