package dev.upcall.fileman.stage;

import dev.upcall.BatchResult;
import dev.upcall.FileChanges;
import dev.upcall.FileContent;
import dev.upcall.FileHandle;
import dev.upcall.FileInfo;
import dev.upcall.FileRequest;
import dev.upcall.OpenMode;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.content.Texts;
import dev.upcall.fileman.plan.FileBatch;
import dev.upcall.stage.StageChanges;
import dev.upcall.stage.StageHandle;
import dev.upcall.stage.StagePut;
import dev.upcall.txn.PublishedReads;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Changing files through the door of stages. */
abstract class DoorStageChanges extends DoorStageReads implements StageChanges {
  private static final int SMALL_BYTES = 64 << 10;

  private final Asker asker;
  private final FileChanges files;

  DoorStageChanges(
      Asker asker, FileChanges files, StageOpenings openings, @Nullable PublishedReads published) {
    super(asker, openings, published);
    this.asker = asker;
    this.files = files;
  }

  @Override
  public final <T> CompletionStage<T> change(
      FileRequest request, Function<? super Optional<FileInfo>, ? extends T> result) {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(result, "result");
    return asker.<Optional<FileInfo>, T>ask(port -> files.change(request, port), result);
  }

  @Override
  public final CompletionStage<BatchResult> batch(List<FileRequest> requests) {
    List<FileRequest> copy = FileBatch.copy(requests);
    return asker.ask(port -> files.batch(copy, port));
  }

  @Override
  public final CompletionStage<FileInfo> write(
      CharSequence path, byte[] content, PutOptions options) {
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(options, "options");
    return asker.at(
        "path",
        path,
        parsed -> {
          if (content.length > SMALL_BYTES) {
            return written(parsed, new OneBuffer(ByteBuffer.wrap(content)), options);
          }
          FileRequest put = new FileRequest.Put(parsed, new FileContent.Bytes(content), options);
          return asker.<Optional<FileInfo>, FileInfo>ask(
              port -> files.change(put, port), Optional::orElseThrow);
        });
  }

  @Override
  public final CompletionStage<FileInfo> writeString(
      CharSequence path, CharSequence text, PutOptions options) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(options, "options");
    return switch (Texts.encode(path, text)) {
      case Completion.Done<byte[]>(byte[] content) -> write(path, content, options);
      case Completion.Failed<byte[]>(Failure noText) -> asker.refused(noText);
    };
  }

  @Override
  public final CompletionStage<FileInfo> append(CharSequence path, byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    return asker.at("path", path, parsed -> asker.ask(port -> files.append(parsed, bytes, port)));
  }

  @Override
  public final CompletionStage<FileInfo> truncate(CharSequence path, long sizeBytes) {
    return asker.at(
        "path", path, parsed -> asker.ask(port -> files.truncate(parsed, sizeBytes, port)));
  }

  @Override
  public final CompletionStage<FileInfo> write(
      CharSequence path, Flow.Publisher<ByteBuffer> content, PutOptions options) {
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(options, "options");
    return written(path, content, options);
  }

  private CompletableFuture<FileInfo> written(
      CharSequence path, Flow.Publisher<ByteBuffer> content, PutOptions options) {
    CompletableFuture<ContentSink.Target<FileInfo>> begun =
        begin(path, options, ContentSink.IntoFile::new);
    CompletableFuture<FileInfo> whole = asker.whole();
    ContentSink.drain(content, begun, whole);
    return whole;
  }

  @Override
  public final CompletionStage<StagePut> put(CharSequence path, PutOptions options) {
    Objects.requireNonNull(options, "options");
    return begin(path, options, put -> put);
  }

  private <P> CompletableFuture<P> begin(
      CharSequence path, PutOptions options, Function<? super DoorPut, ? extends P> result) {
    return asker.at(
        "path",
        path,
        parsed ->
            asker.<PutHandle, P>open(
                port -> files.put(parsed, options, port),
                handle -> result.apply(new DoorPut(asker, handle)),
                PutHandle::abandon));
  }

  @Override
  public final CompletionStage<StageHandle> open(CharSequence path, OpenMode mode) {
    Objects.requireNonNull(mode, "mode");
    return asker.at(
        "path",
        path,
        parsed ->
            asker.<FileHandle, StageHandle>open(
                port -> files.open(parsed, mode, port),
                handle -> new DoorHandle(asker, handle),
                FileHandle::abandon));
  }
}
