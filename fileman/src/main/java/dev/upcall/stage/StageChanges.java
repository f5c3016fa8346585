package dev.upcall.stage;

import dev.upcall.BatchResult;
import dev.upcall.Existence;
import dev.upcall.Expiry;
import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.OpenMode;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.content.Texts;
import dev.upcall.request.Change;
import dev.upcall.request.FileRequest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Everything that changes files and directories: at once and durably ({@link StageFiles}) or as a
 * part of a transaction ({@link StageTransaction}). Those that are a {@link FileRequest} are {@link
 * #change} under a name of their own, as in {@link dev.upcall.AsyncChanges}.
 */
public interface StageChanges extends StageReads {
  /** Asks; the methods below are this under names of their own. */
  default <R> CompletionStage<R> ask(Change<R> change) {
    return ask(change, answer -> answer);
  }

  /** Asks; the stage has what a function makes of the answer, where stages complete. */
  <S, T> CompletionStage<T> ask(Change<S> change, Function<? super S, ? extends T> result);

  /** Makes or replaces a whole file. The bytes must not be changed before the stage completes. */
  default CompletionStage<FileInfo> write(CharSequence path, byte[] content) {
    return write(path, content, PutOptions.DEFAULT);
  }

  /** Makes or replaces a whole file. The bytes must not be changed before the stage completes. */
  default CompletionStage<FileInfo> write(CharSequence path, byte[] content, PutOptions options) {
    return ask(() -> new Change.Write(path, content, options), file -> file);
  }

  /** Makes or replaces a whole file of text, in UTF-8. */
  default CompletionStage<FileInfo> writeString(CharSequence path, CharSequence text) {
    return writeString(path, text, PutOptions.DEFAULT);
  }

  /** Makes or replaces a whole file of text, in UTF-8. */
  default CompletionStage<FileInfo> writeString(
      CharSequence path, CharSequence text, PutOptions options) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(options, "options");
    return switch (Texts.encode(path, text)) {
      case Completion.Done<byte[]>(byte[] content) -> write(path, content, options);
      case Completion.Failed<byte[]>(Failure noText) ->
          CompletableFuture.failedFuture(UpcallException.of(noText));
    };
  }

  /** Adds to the end of a file, which is made when it is not there. */
  default CompletionStage<FileInfo> append(CharSequence path, byte[] bytes) {
    return ask(() -> new Change.Append(path, OpenMode.CREATE, bytes), file -> file);
  }

  /** Sets the size of a file that is there; what is behind the old end reads as zeros. */
  default CompletionStage<FileInfo> truncate(CharSequence path, long sizeBytes) {
    return ask(() -> new Change.Truncate(path, OpenMode.EXISTING, sizeBytes), file -> file);
  }

  /**
   * Makes or replaces a whole file of what a publisher sends. The publisher has its subscriber when
   * this returns, and is asked for one buffer when the one before is in the store. When it ends,
   * the file is made; when it fails, nothing is left, and its failure is that of the stage. A stage
   * that is cancelled cancels the subscription; so does a store that refuses the file.
   */
  CompletionStage<FileInfo> write(
      CharSequence path, Flow.Publisher<ByteBuffer> content, PutOptions options);

  /**
   * Begins to make or replace a whole file of any size. Nothing is seen of it before {@link
   * StagePut#commit}; must be committed or abandoned.
   */
  CompletionStage<StagePut> put(CharSequence path, PutOptions options);

  /** Opens for reading and writing ranges; see {@link dev.upcall.FileChanges#open}. */
  CompletionStage<StageHandle> open(CharSequence path, OpenMode mode);

  /**
   * Does one request, all or nothing; what it made, moved or changed, if anything. Content that it
   * names is used up, whatever the outcome.
   */
  default CompletionStage<Optional<FileInfo>> change(FileRequest request) {
    return ask(Objects.requireNonNull(request, "request"));
  }

  /** Does many requests as one: all or nothing, later ones see what earlier ones did. */
  default CompletionStage<BatchResult> batch(List<FileRequest> requests) {
    return ask(new Change.Batch(requests));
  }

  /** {@link FileRequest.CreateDirectory} below one that is there. */
  default CompletionStage<FileInfo> createDirectory(CharSequence path) {
    return one(() -> new FileRequest.CreateDirectory(path));
  }

  /** {@link FileRequest.CreateDirectory} with all that are missing on the way. */
  default CompletionStage<FileInfo> createDirectories(CharSequence path) {
    return one(() -> new FileRequest.CreateDirectory(path, Parents.MAKE, MetadataChange.NONE));
  }

  /** {@link FileRequest.SymbolicLink}. */
  default CompletionStage<FileInfo> symbolicLink(CharSequence path, String target) {
    return one(() -> new FileRequest.SymbolicLink(path, target, MetadataChange.NONE));
  }

  /** {@link FileRequest.Delete} of any version. */
  default CompletionStage<Void> delete(CharSequence path) {
    return delete(path, FileCondition.NONE);
  }

  /** {@link FileRequest.Delete}. */
  default CompletionStage<Void> delete(CharSequence path, FileCondition condition) {
    return none(() -> new FileRequest.Delete(path, condition));
  }

  /** {@link FileRequest.DeleteTree} of any version. */
  default CompletionStage<Void> deleteTree(CharSequence path) {
    return deleteTree(path, FileCondition.NONE);
  }

  /** {@link FileRequest.DeleteTree}. */
  default CompletionStage<Void> deleteTree(CharSequence path, FileCondition condition) {
    return none(() -> new FileRequest.DeleteTree(path, condition));
  }

  /** {@link FileRequest.Rename} to a name that is free. */
  default CompletionStage<FileInfo> rename(CharSequence from, CharSequence to) {
    return rename(from, to, Existence.MUST_NOT_EXIST);
  }

  /** {@link FileRequest.Rename} by what may be there. */
  default CompletionStage<FileInfo> rename(CharSequence from, CharSequence to, Existence target) {
    return rename(from, to, FileCondition.of(Objects.requireNonNull(target, "target")));
  }

  /** {@link FileRequest.Rename}. */
  default CompletionStage<FileInfo> rename(
      CharSequence from, CharSequence to, FileCondition target) {
    return one(() -> new FileRequest.Rename(from, to, target));
  }

  /** {@link FileRequest.Clone} to a name that is free. */
  default CompletionStage<FileInfo> cloneFile(CharSequence from, CharSequence to) {
    return cloneFile(from, to, Existence.MUST_NOT_EXIST);
  }

  /** {@link FileRequest.Clone} by what may be there. */
  default CompletionStage<FileInfo> cloneFile(
      CharSequence from, CharSequence to, Existence target) {
    return cloneFile(from, to, FileCondition.of(Objects.requireNonNull(target, "target")));
  }

  /** {@link FileRequest.Clone}. */
  default CompletionStage<FileInfo> cloneFile(
      CharSequence from, CharSequence to, FileCondition target) {
    return one(() -> new FileRequest.Clone(from, to, target));
  }

  /** {@link FileRequest.Splice} of any version. */
  default CompletionStage<FileInfo> splice(
      CharSequence path, long offset, long removed, byte[] bytes) {
    return splice(path, offset, removed, bytes, FileCondition.NONE);
  }

  /** {@link FileRequest.Splice}. */
  default CompletionStage<FileInfo> splice(
      CharSequence path, long offset, long removed, byte[] bytes, FileCondition condition) {
    return one(() -> new FileRequest.Splice(path, offset, removed, bytes, condition));
  }

  /** {@link FileRequest.Splice} that takes nothing away. */
  default CompletionStage<FileInfo> insert(CharSequence path, long offset, byte[] bytes) {
    return splice(path, offset, 0, bytes);
  }

  /** {@link FileRequest.Splice} that brings nothing. */
  default CompletionStage<FileInfo> cut(CharSequence path, long offset, long lengthBytes) {
    return splice(path, offset, lengthBytes, new byte[0]);
  }

  /** {@link FileRequest.CopyRange} into any version. */
  default CompletionStage<FileInfo> copyRange(
      FileRequest.Range from, CharSequence to, long offset, FileRequest.Placing placing) {
    return copyRange(from, to, offset, placing, FileCondition.NONE);
  }

  /** {@link FileRequest.CopyRange}. */
  default CompletionStage<FileInfo> copyRange(
      FileRequest.Range from,
      CharSequence to,
      long offset,
      FileRequest.Placing placing,
      FileCondition target) {
    return one(() -> new FileRequest.CopyRange(from, to, offset, placing, target));
  }

  /** {@link FileRequest.SetMetadata} of any version. */
  default CompletionStage<FileInfo> setMetadata(
      CharSequence path, LinkPolicy links, MetadataChange change) {
    return setMetadata(path, links, change, FileCondition.NONE);
  }

  /** {@link FileRequest.SetMetadata}. */
  default CompletionStage<FileInfo> setMetadata(
      CharSequence path, LinkPolicy links, MetadataChange change, FileCondition condition) {
    return one(() -> new FileRequest.SetMetadata(path, links, change, condition));
  }

  /** {@link FileRequest.SetMetadata} of when a file is gone by itself. */
  default CompletionStage<FileInfo> setExpiry(CharSequence path, Expiry expiry) {
    Objects.requireNonNull(expiry, "expiry");
    return setMetadata(path, LinkPolicy.FOLLOW, MetadataChange.NONE.withExpiry(expiry));
  }

  /** {@link FileRequest.SetProperty}. */
  default CompletionStage<Void> setProperty(String name, byte[] value) {
    return none(() -> new FileRequest.SetProperty(name, value));
  }

  /** {@link FileRequest.RemoveProperty}. */
  default CompletionStage<Void> removeProperty(String name) {
    return none(() -> new FileRequest.RemoveProperty(name));
  }

  /** Asks what leaves one thing. */
  private CompletionStage<FileInfo> one(Supplier<FileRequest> request) {
    return ask(request, Optional::orElseThrow);
  }

  /** Asks what leaves nothing. */
  private CompletionStage<Void> none(Supplier<FileRequest> request) {
    return ask(request, _ -> null);
  }

  private <S, T> CompletionStage<T> ask(
      Supplier<? extends Change<S>> change, Function<? super S, ? extends T> result) {
    Change<S> made;
    try {
      made = change.get();
    } catch (UpcallException.Invalid invalid) {
      return CompletableFuture.failedFuture(invalid);
    }
    return ask(made, result);
  }
}
