package dev.upcall.fileman.stage;

import dev.upcall.FileChanges;
import dev.upcall.FileHandle;
import dev.upcall.FileInfo;
import dev.upcall.OpenMode;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fileman.reading.PublishedLooks;
import dev.upcall.request.Change;
import dev.upcall.stage.StageChanges;
import dev.upcall.stage.StageHandle;
import dev.upcall.stage.StagePut;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Function;

/** Changing files through the door of stages. */
abstract class DoorStageChanges extends DoorStageReads implements StageChanges {
  private final Asker asker;
  private final FileChanges files;

  DoorStageChanges(Asker asker, FileChanges files, PublishedLooks looks) {
    super(asker, looks);
    this.asker = asker;
    this.files = files;
  }

  @Override
  @SuppressWarnings("unchecked") // what is written leaves a file
  public final <S, T> CompletionStage<T> ask(
      Change<S> change, Function<? super S, ? extends T> result) {
    Objects.requireNonNull(change, "change");
    Objects.requireNonNull(result, "result");
    if (change instanceof Change.Write write && !write.isSmall()) {
      return written(
          write.path(),
          new OneBuffer(ByteBuffer.wrap(write.content())),
          write.options(),
          (Function<? super FileInfo, ? extends T>) result);
    }
    return asker.ask((CompletionPort<S> port) -> files.ask(change, port), result);
  }

  @Override
  public final CompletionStage<FileInfo> write(
      CharSequence path, Flow.Publisher<ByteBuffer> content, PutOptions options) {
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(options, "options");
    return written(path, content, options, file -> file);
  }

  private <T> CompletableFuture<T> written(
      CharSequence path,
      Flow.Publisher<ByteBuffer> content,
      PutOptions options,
      Function<? super FileInfo, ? extends T> result) {
    CompletableFuture<ContentSink.Target<T>> begun =
        begin(path, options, put -> new ContentSink.IntoFile<T>(put, result));
    CompletableFuture<T> whole = asker.whole();
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
