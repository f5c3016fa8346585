package dev.upcall.feed;

import dev.upcall.FileContent;
import dev.upcall.StorePath;
import dev.upcall.completion.Failure;
import dev.upcall.content.StagedContent;
import dev.upcall.request.FileRequest;
import dev.upcall.request.codec.RequestEncoder;
import dev.upcall.request.codec.Submission;
import java.util.List;

/** A request of a queue in the file manager's words. */
public sealed interface Work {
  /** The steps that do a submission. Pure. */
  static Work of(Submission submission) {
    return switch (submission) {
      case Submission.Write(StorePath path, long offset, byte[] bytes) ->
          new Range(path, offset, bytes);
      case Submission.Append(StorePath path, byte[] bytes) -> new Range(path, -1, bytes);
      case Submission.Changes(List<FileRequest> requests)
          when submission.followingBytes() > 0
              && requests.getFirst() instanceof FileRequest.Put put ->
          new Large(put, RequestEncoder.encode(submission).length);
      case Submission.Changes(List<FileRequest> requests)
          when requests.stream().anyMatch(Work::isOfFeeds) ->
          new Impossible(
              new Failure.Invalid(
                  "properties that begin with " + Position.PROPERTIES + " are a feed's own"));
      case Submission.Changes(List<FileRequest> requests) -> new Changes(requests);
    };
  }

  /** Whether it changes what a feed notes: a request could then be done twice. */
  private static boolean isOfFeeds(FileRequest request) {
    return switch (request) {
      case FileRequest.SetProperty(String name, _) -> name.startsWith(Position.PROPERTIES);
      case FileRequest.RemoveProperty(String name) -> name.startsWith(Position.PROPERTIES);
      default -> false;
    };
  }

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
  record Range(StorePath path, long offset, byte[] bytes) implements Work {}

  /**
   * A put whose content is in many entries.
   *
   * @param contentAt where it begins in the body of the first
   */
  record Large(FileRequest.Put put, int contentAt) implements Work {}

  /** What no store does. */
  record Impossible(Failure why) implements Work {}
}
