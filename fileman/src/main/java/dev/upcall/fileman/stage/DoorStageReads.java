package dev.upcall.fileman.stage;

import dev.upcall.FileInfo;
import dev.upcall.FileReads;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.Texts;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.fileman.reading.ReadSide;
import dev.upcall.fileman.reading.WholeRead;
import dev.upcall.stage.StageContent;
import dev.upcall.stage.StageReads;
import dev.upcall.txn.PublishedReads;
import dev.upcall.txn.Query;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Looking and reading through the door of stages. */
abstract class DoorStageReads implements StageReads {
  private final Asker asker;
  private final StageOpenings openings;
  private final @Nullable PublishedReads published;

  /**
   * Reads.
   *
   * @param published what callers may look at themselves, if that is what is read
   */
  DoorStageReads(Asker asker, StageOpenings openings, @Nullable PublishedReads published) {
    this.asker = asker;
    this.openings = openings;
    this.published = published;
  }

  private FileReads files() {
    return openings.files();
  }

  // ------------------------------------------------------------------ looking

  @Override
  public final CompletionStage<FileInfo> stat(CharSequence path, LinkPolicy links) {
    Objects.requireNonNull(links, "links");
    return asker.at(
        "path",
        path,
        parsed -> look(Looks.stat(parsed, links), port -> files().stat(parsed, links, port)));
  }

  @Override
  public final CompletionStage<Boolean> exists(CharSequence path) {
    return asker.at("path", path, this::exists);
  }

  private CompletableFuture<Boolean> exists(StorePath path) {
    Query<FileInfo> stat = Looks.stat(path, LinkPolicy.FOLLOW);
    return look(
        view -> isThere(stat.run(view)),
        port -> files().stat(path, LinkPolicy.FOLLOW, found -> port.complete(isThere(found))));
  }

  private static Completion<Boolean> isThere(Completion<FileInfo> found) {
    return switch (found) {
      case Completion.Done<FileInfo> _ -> Completion.done(true);
      case Completion.Failed<FileInfo>(Failure.NotFound _) -> Completion.done(false);
      case Completion.Failed<FileInfo>(Failure.NotADirectory _) -> Completion.done(false);
      case Completion.Failed<FileInfo> failed -> failed.cast();
    };
  }

  @Override
  public final CompletionStage<Listing> list(CharSequence directory, String afterName, int limit) {
    Objects.requireNonNull(afterName, "afterName");
    return asker.at(
        "directory",
        directory,
        parsed ->
            look(
                Looks.list(parsed, afterName, limit),
                port -> files().list(parsed, afterName, limit, port)));
  }

  @Override
  public final CompletionStage<Listing.Names> names(CharSequence directory, Listing.Range range) {
    Objects.requireNonNull(range, "range");
    return asker.at(
        "directory",
        directory,
        parsed -> look(Looks.names(parsed, range), port -> files().names(parsed, range, port)));
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

  @Override
  public final CompletionStage<String> readLink(CharSequence path) {
    return asker.at(
        "path",
        path,
        parsed -> look(Looks.readLink(parsed), port -> files().readLink(parsed, port)));
  }

  @Override
  public final CompletionStage<Optional<byte[]>> property(String name) {
    Objects.requireNonNull(name, "name");
    Query<byte[]> value = Looks.property(name);
    return look(
        view -> ifSet(value.run(view)),
        port -> files().property(name, found -> port.complete(ifSet(found))));
  }

  private static Completion<Optional<byte[]>> ifSet(Completion<byte[]> found) {
    return switch (found) {
      case Completion.Done<byte[]>(byte[] value) -> Completion.done(Optional.of(value));
      case Completion.Failed<byte[]>(Failure.NotFound _) -> Completion.done(Optional.empty());
      case Completion.Failed<byte[]> failed -> failed.cast();
    };
  }

  /** Answered here if that can be, else by the store. */
  private <T> CompletableFuture<T> look(
      Query<T> query, Consumer<? super CompletionPort<T>> request) {
    PublishedReads seen = published;
    if (seen == null) {
      return asker.ask(request);
    }
    Completion<T> known = maySee() ? seen.look(query) : null;
    return known != null
        ? asker.door().answered(known, value -> value)
        : asker.ask(
            port -> {
              seen.wanted();
              request.accept(port);
            });
  }

  /** The dispatcher's own thread asks the store, in its turn. */
  private boolean maySee() {
    return !asker.door().isClosed() && !asker.door().dispatcher().isOwner();
  }

  // ------------------------------------------------------------------ reading

  @Override
  public final CompletionStage<byte[]> readAllBytes(CharSequence path) {
    return asker.at("path", path, parsed -> readAll(parsed, bytes -> bytes));
  }

  @Override
  public final CompletionStage<String> readString(CharSequence path) {
    return asker.at(
        "path",
        path,
        parsed -> readAll(parsed, bytes -> UpcallException.value(Texts.decode(parsed, bytes))));
  }

  private <T> CompletableFuture<T> readAll(StorePath path, Function<byte[], T> result) {
    Completion<byte[]> known =
        published == null || !maySee()
            ? null
            : published.bytes(Looks.content(path), WholeRead.MAX_COPIED_BYTES);
    if (known != null) {
      return asker.door().answered(known, result);
    }
    CompletableFuture<T> whole = asker.whole();
    CompletableFuture<WholeRead.Found> found =
        Steps.step(
            whole,
            asker.<WholeRead.Found, WholeRead.Found>open(
                port -> openings.readWhole(path, published, port),
                any -> any,
                StageOpenings::lost));
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

  @Override
  public final CompletionStage<byte[]> read(CharSequence path, long offset, int maxBytes) {
    return asker.at(
        "path",
        path,
        parsed -> {
          if (offset < 0) {
            return asker.refused(
                new Failure.Invalid("offset " + offset + " of a read is negative"));
          }
          if (maxBytes < 0 || maxBytes > MAX_READ_BYTES) {
            String why = "a read has 0 to %d bytes, not %d for maxBytes";
            return asker.refused(new Failure.Invalid(why.formatted(MAX_READ_BYTES, maxBytes)));
          }
          return readRange(parsed, offset, maxBytes);
        });
  }

  private CompletableFuture<byte[]> readRange(StorePath path, long offset, int maxBytes) {
    Completion<byte[]> known =
        published == null || !maySee()
            ? null
            : published.range(Looks.content(path), offset, maxBytes);
    return known != null
        ? asker.door().answered(known, bytes -> bytes)
        : asker.ask(port -> openings.readRange(path, offset, maxBytes, published, port));
  }

  @Override
  public final CompletionStage<StageContent> read(CharSequence path) {
    return asker.at("path", path, this::openContent);
  }

  private CompletableFuture<StageContent> openContent(StorePath path) {
    return asker.<ReadSide, StageContent>open(
        port -> openings.openRead(path, port),
        side -> new DoorContent(asker, side),
        ReadSide::close);
  }

  @Override
  public final Flow.Publisher<ByteBuffer> publish(CharSequence path) {
    Objects.requireNonNull(path, "path");
    return new ContentPublisher(
        () -> asker.at("path", path, this::openContent), /* closes= */ true);
  }
}
