package dev.upcall.fileman.stage;

import dev.upcall.FileInfo;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fileman.reading.PublishedLooks;
import dev.upcall.fileman.reading.ReadSide;
import dev.upcall.fileman.reading.WholeRead;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.request.Look;
import dev.upcall.stage.StageContent;
import dev.upcall.stage.StageReads;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Function;

/** Looking and reading through the door of stages. */
abstract class DoorStageReads implements StageReads {
  private final Asker asker;
  private final PublishedLooks looks;

  /** Reads. */
  DoorStageReads(Asker asker, PublishedLooks looks) {
    this.asker = asker;
    this.looks = looks;
  }

  final PublishedLooks looks() {
    return looks;
  }

  @Override
  @SuppressWarnings("unchecked") // a whole file is bytes
  public final <S, T> CompletionStage<T> ask(
      Look<S> look, Function<? super S, ? extends T> result) {
    Objects.requireNonNull(look, "look");
    Objects.requireNonNull(result, "result");
    Completion<S> seen = maySee() ? looks.seen(look, WholeRead.MAX_COPIED_BYTES) : null;
    if (seen != null) {
      return asker.door().answered(seen, result);
    }
    return look instanceof Look.ReadWhole(StorePath path)
        ? readAll(path, (Function<? super byte[], ? extends T>) result)
        : asker.<S, T>ask((CompletionPort<S> port) -> looks.ask(look, port), result);
  }

  /** The dispatcher's own thread asks the store, in its turn. */
  private boolean maySee() {
    return !asker.door().isClosed() && !asker.door().dispatcher().isOwner();
  }

  @Override
  public final CompletionStage<Void> forEach(
      CharSequence directory, Consumer<? super FileInfo> action) {
    Objects.requireNonNull(action, "action");
    return asker.at(
        "directory",
        directory,
        parsed -> {
          CompletableFuture<Void> whole = asker.whole();
          eachBehind(parsed, "", action, whole);
          return whole;
        });
  }

  private void eachBehind(
      StorePath directory,
      String name,
      Consumer<? super FileInfo> action,
      CompletableFuture<Void> whole) {
    Steps.goOn(
        whole,
        Steps.step(whole, list(directory, name, Listing.MAX_ENTRIES)),
        page -> {
          page.entries().forEach(action);
          if (page.hasMore()) {
            eachBehind(directory, page.nextAfter().orElseThrow(), action, whole);
          } else {
            whole.complete(null);
          }
        });
  }

  private <T> CompletableFuture<T> readAll(
      StorePath path, Function<? super byte[], ? extends T> result) {
    CompletableFuture<T> whole = asker.whole();
    CompletableFuture<WholeRead.Found> found =
        Steps.step(
            whole,
            asker.<WholeRead.Found, WholeRead.Found>open(
                port -> looks.whole(path, port), any -> any, DoorStageReads::lost));
    Steps.goOn(
        whole,
        found,
        any -> {
          switch (any) {
            case WholeRead.Found.Copied(byte[] bytes) ->
                StageDoor.finish(whole, Completion.done(bytes), result);
            case WholeRead.Found.Large large ->
                new LargeRead<>(asker, large, path, result, whole).begin();
          }
        });
    return whole;
  }

  /** Closes what nobody gets any more. */
  static void lost(WholeRead.Found found) {
    if (found instanceof WholeRead.Found.Large(ReadSide side, HeapBudget.Hold hold)) {
      side.close();
      hold.giveBack();
    }
  }

  @Override
  public final CompletionStage<StageContent> read(CharSequence path) {
    return asker.at("path", path, this::openContent);
  }

  private CompletableFuture<StageContent> openContent(StorePath path) {
    return asker.<ReadSide, StageContent>open(
        port -> looks.open(path, port), side -> new DoorContent(asker, side), ReadSide::close);
  }

  @Override
  public final Flow.Publisher<ByteBuffer> publish(CharSequence path) {
    Objects.requireNonNull(path, "path");
    return new ContentPublisher(
        () -> asker.at("path", path, this::openContent), /* closes= */ true);
  }
}
