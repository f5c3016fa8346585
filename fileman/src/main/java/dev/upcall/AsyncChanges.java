package dev.upcall;

import static dev.upcall.StorePath.checked;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.completion.Unit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The changes that are a {@link FileRequest}, with a completion that comes later: each at once and
 * durably, or as a part of a transaction. All of them are {@link #change} under a name of their
 * own; those that make, move or change something give what that is now.
 */
public interface AsyncChanges extends AsyncQueries {
  /**
   * Does one request, all or nothing; what it made, moved or changed, if anything. Content that it
   * names is used up, whatever the outcome.
   */
  void change(FileRequest request, CompletionPort<Optional<FileInfo>> port);

  /** All requests as one: all or nothing, later ones see what earlier ones did. */
  void batch(List<FileRequest> requests, CompletionPort<BatchResult> port);

  /** {@link FileRequest.CreateDirectory} below one that is there. */
  default void createDirectory(CharSequence path, CompletionPort<FileInfo> port) {
    one(
        () ->
            new FileRequest.CreateDirectory(
                checked(path), /* parents= */ false, MetadataChange.NONE),
        port);
  }

  /** {@link FileRequest.CreateDirectory} with all that are missing on the way. */
  default void createDirectories(CharSequence path, CompletionPort<FileInfo> port) {
    one(
        () ->
            new FileRequest.CreateDirectory(
                checked(path), /* parents= */ true, MetadataChange.NONE),
        port);
  }

  /** {@link FileRequest.SymbolicLink}. */
  default void symbolicLink(CharSequence path, String target, CompletionPort<FileInfo> port) {
    one(() -> new FileRequest.SymbolicLink(checked(path), target, MetadataChange.NONE), port);
  }

  /** {@link FileRequest.Delete} of any version. */
  default void delete(CharSequence path, CompletionPort<Unit> port) {
    delete(path, FileCondition.NONE, port);
  }

  /** {@link FileRequest.Delete}. */
  default void delete(CharSequence path, FileCondition condition, CompletionPort<Unit> port) {
    none(() -> new FileRequest.Delete(checked(path), condition), port);
  }

  /** {@link FileRequest.DeleteTree} of any version. */
  default void deleteTree(CharSequence path, CompletionPort<Unit> port) {
    deleteTree(path, FileCondition.NONE, port);
  }

  /** {@link FileRequest.DeleteTree}. */
  default void deleteTree(CharSequence path, FileCondition condition, CompletionPort<Unit> port) {
    none(() -> new FileRequest.DeleteTree(checked(path), condition), port);
  }

  /** {@link FileRequest.Rename} to a name that is free. */
  default void rename(CharSequence from, CharSequence to, CompletionPort<FileInfo> port) {
    rename(from, to, Existence.MUST_NOT_EXIST, port);
  }

  /** {@link FileRequest.Rename} by what may be there. */
  default void rename(
      CharSequence from, CharSequence to, Existence target, CompletionPort<FileInfo> port) {
    rename(from, to, FileCondition.of(Objects.requireNonNull(target, "target")), port);
  }

  /** {@link FileRequest.Rename}. */
  default void rename(
      CharSequence from, CharSequence to, FileCondition target, CompletionPort<FileInfo> port) {
    one(() -> new FileRequest.Rename(checked("from", from), checked("to", to), target), port);
  }

  /** {@link FileRequest.Clone} to a name that is free. */
  default void cloneFile(CharSequence from, CharSequence to, CompletionPort<FileInfo> port) {
    cloneFile(from, to, Existence.MUST_NOT_EXIST, port);
  }

  /** {@link FileRequest.Clone} by what may be there. */
  default void cloneFile(
      CharSequence from, CharSequence to, Existence target, CompletionPort<FileInfo> port) {
    cloneFile(from, to, FileCondition.of(Objects.requireNonNull(target, "target")), port);
  }

  /** {@link FileRequest.Clone}. */
  default void cloneFile(
      CharSequence from, CharSequence to, FileCondition target, CompletionPort<FileInfo> port) {
    one(() -> new FileRequest.Clone(checked("from", from), checked("to", to), target), port);
  }

  /** {@link FileRequest.Splice} of any version. */
  default void splice(
      CharSequence path, long offset, long removed, byte[] bytes, CompletionPort<FileInfo> port) {
    splice(path, offset, removed, bytes, FileCondition.NONE, port);
  }

  /** {@link FileRequest.Splice}. */
  default void splice(
      CharSequence path,
      long offset,
      long removed,
      byte[] bytes,
      FileCondition condition,
      CompletionPort<FileInfo> port) {
    one(() -> new FileRequest.Splice(checked(path), offset, removed, bytes, condition), port);
  }

  /** {@link FileRequest.Splice} that takes nothing away. */
  default void insert(CharSequence path, long offset, byte[] bytes, CompletionPort<FileInfo> port) {
    splice(path, offset, 0, bytes, port);
  }

  /** {@link FileRequest.Splice} that brings nothing. */
  default void cut(
      CharSequence path, long offset, long lengthBytes, CompletionPort<FileInfo> port) {
    splice(path, offset, lengthBytes, new byte[0], port);
  }

  /** {@link FileRequest.SetMetadata} of any version. */
  default void setMetadata(
      CharSequence path, LinkPolicy links, MetadataChange change, CompletionPort<FileInfo> port) {
    setMetadata(path, links, change, FileCondition.NONE, port);
  }

  /** {@link FileRequest.SetMetadata}. */
  default void setMetadata(
      CharSequence path,
      LinkPolicy links,
      MetadataChange change,
      FileCondition condition,
      CompletionPort<FileInfo> port) {
    one(() -> new FileRequest.SetMetadata(checked(path), links, change, condition), port);
  }

  /** {@link FileRequest.SetMetadata} of when a file is gone by itself. */
  default void setExpiry(CharSequence path, Expiry expiry, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(expiry, "expiry");
    setMetadata(path, LinkPolicy.FOLLOW, MetadataChange.NONE.withExpiry(expiry), port);
  }

  /** {@link FileRequest.SetProperty}. */
  default void setProperty(String name, byte[] value, CompletionPort<Unit> port) {
    none(() -> new FileRequest.SetProperty(name, value), port);
  }

  /** {@link FileRequest.RemoveProperty}. */
  default void removeProperty(String name, CompletionPort<Unit> port) {
    none(() -> new FileRequest.RemoveProperty(name), port);
  }

  /** Asks what leaves one thing. */
  private void one(Supplier<FileRequest> request, CompletionPort<FileInfo> port) {
    ask(request, Optional::orElseThrow, port);
  }

  /** Asks what leaves nothing. */
  private void none(Supplier<FileRequest> request, CompletionPort<Unit> port) {
    ask(request, _ -> Unit.UNIT, port);
  }

  private <T> void ask(
      Supplier<FileRequest> request,
      Function<Optional<FileInfo>, T> result,
      CompletionPort<T> port) {
    Objects.requireNonNull(port, "port");
    switch (Refused.catching(request)) {
      case Completion.Failed<FileRequest>(Failure noPath) -> refuse(noPath, port);
      case Completion.Done<FileRequest>(FileRequest asked) ->
          change(asked, completion -> port.complete(completion.map(result)));
    }
  }
}
