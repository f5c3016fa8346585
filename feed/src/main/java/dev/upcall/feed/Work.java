package dev.upcall.feed;

import dev.upcall.FileContent;
import dev.upcall.FileRequest;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Failure;
import dev.upcall.content.StagedContent;
import java.nio.ByteBuffer;
import java.util.List;

/** A request of a queue in the file manager's words. */
public sealed interface Work {
  /** Frees content that was brought to the store for it, if it is not asked for any more. */
  default void discard() {
    if (this instanceof Changes(List<FileRequest> requests)) {
      for (FileRequest request : requests) {
        if (request instanceof FileRequest.Put(_, FileContent.Staged(StagedContent content), _)) {
          content.discard();
        }
      }
    }
  }

  /**
   * What a batch can do.
   *
   * @param requests one, or all of a producer's batch
   */
  record Changes(List<FileRequest> requests) implements Work {}

  /**
   * A range of a file.
   *
   * @param offset negative for its end, which makes the file if it is missing
   * @param bytes read only
   */
  record Range(String path, long offset, ByteBuffer bytes) implements Work {}

  /**
   * A put whose content is in many entries.
   *
   * @param contentAt where it begins in the body of the first
   */
  record Large(StorePath path, PutOptions options, int contentAt) implements Work {}

  /** What no store does. */
  record Impossible(Failure why) implements Work {}
}
