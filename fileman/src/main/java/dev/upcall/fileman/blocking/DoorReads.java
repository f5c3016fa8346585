package dev.upcall.fileman.blocking;

import dev.upcall.AsyncReads;
import dev.upcall.FileInfo;
import dev.upcall.FileReads;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.fileman.reading.ArrayRead;
import dev.upcall.fileman.reading.Openings;
import dev.upcall.fileman.reading.PortWay;
import dev.upcall.fileman.reading.RangeRead;
import dev.upcall.fileman.reading.ReadSide;
import dev.upcall.fileman.reading.VersionRead;
import dev.upcall.fileman.reading.WholeRead;
import dev.upcall.txn.PublishedReads;
import dev.upcall.txn.Query;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Looking and reading through a door. */
abstract class DoorReads implements AsyncReads, PortWay {
  private static final LeaseOwner OWNER = new LeaseOwner("async-files", 0);

  private final FileReads files;
  private final AsyncDoor door;
  private final Set<Runnable> openReads;
  private final @Nullable PublishedReads published;

  /**
   * Reads.
   *
   * @param openReads what the store must close when it is closed itself; the dispatcher's
   * @param published what the program may look at itself, if that is what is read
   */
  DoorReads(
      FileReads files,
      AsyncDoor door,
      Set<Runnable> openReads,
      @Nullable PublishedReads published) {
    this.files = files;
    this.door = door;
    this.openReads = openReads;
    this.published = published;
  }

  @Override
  public final void stat(CharSequence path, LinkPolicy links, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(links, "links");
    at(
        path,
        port,
        parsed -> look(Looks.stat(parsed, links), inner -> files.stat(parsed, links, inner), port));
  }

  @Override
  public final void read(
      CharSequence path, long offset, int maxBytes, CompletionPort<byte[]> port) {
    Objects.requireNonNull(path, "path");
    Failure refused = RangeRead.refuses(maxBytes).orElse(null);
    if (refused != null) {
      refuse(refused, port);
      return;
    }
    at(
        path,
        port,
        parsed -> {
          Range range = new Range(offset, maxBytes);
          door.lookMeasured(() -> seen(parsed, range), inner -> ask(parsed, range, inner), port);
        });
  }

  @Override
  public final void readAllBytes(CharSequence path, CompletionPort<byte[]> port) {
    at(
        path,
        port,
        parsed ->
            door.lookHolding(
                () -> seenWhole(parsed),
                (hold, inner) -> {
                  if (published != null) {
                    published.contentsWanted();
                  }
                  ArrayRead.Room room = new ArrayRead.Room(hold, 1);
                  openRead(parsed, new ArrayRead(parsed, door.largeWork(), room, inner));
                },
                port));
  }

  @Override
  public final void read(CharSequence path, CompletionPort<Content> port) {
    at(
        path,
        port,
        parsed ->
            door.<ReadSide>request(
                inner -> openRead(parsed, inner),
                opened -> port.complete(opened.map(side -> new VersionRead(side, this)))));
  }

  /** Dispatcher's thread: opens a file, which the store closes with itself. */
  private void openRead(StorePath path, CompletionPort<ReadSide> port) {
    Openings.open(
        files,
        path,
        OWNER,
        VersionRead.opening(
            path,
            (file, content) -> new ReadSide(door.dispatcher(), file, content, openReads),
            port));
  }

  private @Nullable Completion<byte[]> seenWhole(StorePath path) {
    return published == null
        ? null
        : published.bytes(Looks.content(path), WholeRead.MAX_COPIED_BYTES);
  }

  @Override
  public final void list(
      CharSequence directory, String afterName, int limit, CompletionPort<Listing> port) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(afterName, "afterName");
    at(
        directory,
        port,
        parsed ->
            look(
                Looks.list(parsed, afterName, limit),
                inner -> files.list(parsed, afterName, limit, inner),
                port));
  }

  @Override
  public final void names(
      CharSequence directory, Listing.Range range, CompletionPort<Listing.Names> port) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(range, "range");
    at(
        directory,
        port,
        parsed ->
            look(Looks.names(parsed, range), inner -> files.names(parsed, range, inner), port));
  }

  @Override
  public final void readLink(CharSequence path, CompletionPort<String> port) {
    at(
        path,
        port,
        parsed -> look(Looks.readLink(parsed), inner -> files.readLink(parsed, inner), port));
  }

  @Override
  public final void property(String name, CompletionPort<byte[]> port) {
    Objects.requireNonNull(name, "name");
    look(Looks.property(name), inner -> files.property(name, inner), port);
  }

  /** A look at what is published, or else at what the store has. */
  private <T> void look(
      Query<T> query, Consumer<CompletionPort<T>> request, CompletionPort<T> port) {
    PublishedReads elsewhere = published;
    if (elsewhere == null) {
      door.request(request, port);
      return;
    }
    door.look(
        () -> elsewhere.look(query),
        inner -> {
          elsewhere.wanted();
          request.accept(inner);
        },
        port);
  }

  @Override
  public final <T> void refuse(Failure failure, CompletionPort<T> port) {
    door.later(port, failure);
  }

  @Override
  public final <T> CompletionPort<T> fromAnyThread(CompletionPort<T> port) {
    return door.fromAnyThread(port);
  }

  /** What is read. */
  private record Range(long offset, int maxBytes) {}

  /** One range of what is published, copied here; null if the store must be asked. */
  private @Nullable Completion<byte[]> seen(StorePath path, Range range) {
    return published == null || range.offset < 0
        ? null
        : published.range(Looks.content(path), range.offset, range.maxBytes);
  }

  /** Dispatcher's thread: what was not to be had outside. */
  private void ask(StorePath path, Range range, CompletionPort<byte[]> port) {
    if (published != null) {
      published.contentsWanted();
    }
    Openings.open(
        files,
        path,
        OWNER,
        new RangeRead(path, range.offset, range.maxBytes, door::foundInMemory, port));
  }
}
