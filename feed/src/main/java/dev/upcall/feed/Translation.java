package dev.upcall.feed;

import dev.upcall.Existence;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileRequest;
import dev.upcall.FileVersion;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.journal.entry.Condition;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.FailureCode;
import dev.upcall.journal.entry.Reply;
import dev.upcall.journal.entry.Request;
import dev.upcall.journal.entry.Submission;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Requests of a queue as requests of the file manager. Pure. */
final class Translation {
  private Translation() {}

  /**
   * What a request asks; {@link Work.Impossible} for a path that the store does not have.
   *
   * @param first its first entry, whose body is read from then on
   */
  static Work of(Submission submission, Entry first) {
    int contentAt = submission.contentAt();
    byte[] body = first.body();
    ByteBuffer contents = ByteBuffer.wrap(body, contentAt, body.length - contentAt);
    Completion<Work> translated =
        Refused.catching(
            () ->
                switch (submission.request()) {
                  case Request.Write(String path, long offset, long _) ->
                      new Work.Range(path, offset, contents);
                  case Request.Append(String path, long _) -> new Work.Range(path, -1, contents);
                  case Request.Put put when first.parts() > 1 ->
                      new Work.Large(path(put.path()), options(put), contentAt);
                  case Request request -> {
                    List<FileRequest> requests = new ArrayList<>();
                    add(request, contents, requests);
                    yield new Work.Changes(List.copyOf(requests));
                  }
                });
    return switch (translated) {
      case Completion.Done<Work>(Work work) -> work;
      case Completion.Failed<Work>(Failure why) -> new Work.Impossible(why);
    };
  }

  /** What a producer is told of a failure for good. */
  static Reply.Failed failed(Failure why) {
    FailureCode code =
        switch (why) {
          case Failure.NotFound _ -> FailureCode.NOT_FOUND;
          case Failure.AlreadyExists _ -> FailureCode.ALREADY_EXISTS;
          case Failure.NotADirectory _ -> FailureCode.NOT_A_DIRECTORY;
          case Failure.IsADirectory _ -> FailureCode.IS_A_DIRECTORY;
          case Failure.DirectoryNotEmpty _ -> FailureCode.DIRECTORY_NOT_EMPTY;
          case Failure.LinkLoop _ -> FailureCode.LINK_LOOP;
          case Failure.Invalid _ -> FailureCode.INVALID;
          case Failure.VersionMismatch _ -> FailureCode.VERSION_MISMATCH;
          case Failure.TooLarge _ -> FailureCode.TOO_LARGE;
          default -> throw new IllegalArgumentException("no failure for good: " + why);
        };
    return new Reply.Failed(code, why.message());
  }

  private static PutOptions options(Request.Put put) {
    return new PutOptions(
        condition(put.condition()), parents(put.parents()), LinkPolicy.FOLLOW, MetadataChange.NONE);
  }

  private static FileRequest.Parents parents(boolean made) {
    return made ? FileRequest.Parents.MAKE : FileRequest.Parents.MUST_EXIST;
  }

  private static void add(Request request, ByteBuffer contents, List<FileRequest> to) {
    switch (request) {
      case Request.Put put -> {
        byte[] bytes = new byte[(int) put.contentBytes()];
        contents.get(bytes);
        to.add(new FileRequest.Put(path(put.path()), new FileContent.Bytes(bytes), options(put)));
      }
      case Request.Delete(String path, Condition condition) ->
          to.add(new FileRequest.Delete(path(path), condition(condition)));
      case Request.DeleteTree(String path, Condition condition) ->
          to.add(new FileRequest.DeleteTree(path(path), condition(condition)));
      case Request.Rename(String from, String onto, Condition target) ->
          to.add(new FileRequest.Rename(path(from), path(onto), condition(target)));
      case Request.CreateDirectory(String path, boolean parents) ->
          to.add(
              new FileRequest.CreateDirectory(path(path), parents(parents), MetadataChange.NONE));
      case Request.Batch(List<Request> requests) ->
          requests.forEach(each -> add(each, contents, to));
      case Request.Write _, Request.Append _ ->
          throw new IllegalArgumentException("a range is no request of a batch");
    }
  }

  private static StorePath path(String text) {
    return switch (StorePath.parse(text)) {
      case Completion.Done<StorePath>(StorePath path) -> path;
      case Completion.Failed<StorePath> failed -> throw new Refused(failed.failure());
    };
  }

  private static FileCondition condition(Condition condition) {
    FileCondition of =
        condition
            .version()
            .map(only -> FileCondition.only(new FileVersion(only.id(), only.version())))
            .orElse(FileCondition.NONE);
    return of.withExistence(
        switch (condition.existence()) {
          case ANY -> Existence.ANY;
          case MUST_EXIST -> Existence.MUST_EXIST;
          case MUST_NOT_EXIST -> Existence.MUST_NOT_EXIST;
        });
  }
}
