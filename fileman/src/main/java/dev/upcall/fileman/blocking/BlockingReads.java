package dev.upcall.fileman.blocking;

import static dev.upcall.fileman.blocking.Calls.path;

import dev.upcall.FileInfo;
import dev.upcall.FileReads;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.Upcall.ReadStream;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.Kind;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.fileman.reading.Openings;
import dev.upcall.fileman.reading.ReadSide;
import dev.upcall.fileman.reading.WholeRead;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.segment.PinnedContent;
import dev.upcall.txn.PublishedReads;
import dev.upcall.txn.Query;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Looking and reading, each a call that waits. */
abstract class BlockingReads implements UpcallReads {
  /** A whole file that callers copy themselves: so much is copied in vain at most. */
  private static final int MAX_SEEN_BYTES = 1 << 20;

  /** A file that a stream copies when it is opened, and then needs nothing of the store. */
  private static final int MAX_STREAM_COPY_BYTES = 64 << 10;

  private static final LeaseOwner READER = new LeaseOwner("blocking-read", 0);

  private final Calls calls;
  private final FileReads files;
  private final Dispatcher dispatcher;
  private final Set<Runnable> openReads;
  private final @Nullable PublishedReads published;

  /**
   * Reads.
   *
   * @param openReads what is open for reading; the dispatcher's
   * @param published what callers may look at themselves, if that is what is read
   */
  BlockingReads(
      Calls calls,
      FileReads files,
      Dispatcher dispatcher,
      Set<Runnable> openReads,
      @Nullable PublishedReads published) {
    this.calls = calls;
    this.files = files;
    this.dispatcher = dispatcher;
    this.openReads = openReads;
    this.published = published;
  }

  final Set<Runnable> openReads() {
    return openReads;
  }

  // ------------------------------------------------------------------ looking

  @Override
  public final FileInfo stat(CharSequence path, LinkPolicy links) {
    Objects.requireNonNull(links, "links");
    StorePath parsed = path(path);
    return look(Looks.stat(parsed, links), port -> files.stat(parsed, links, port));
  }

  @Override
  public final Listing list(CharSequence directory, String afterName, int limit) {
    Objects.requireNonNull(afterName, "afterName");
    StorePath parsed = path("directory", directory);
    return look(
        Looks.list(parsed, afterName, limit), port -> files.list(parsed, afterName, limit, port));
  }

  @Override
  public final Listing.Names names(CharSequence directory, Listing.Range range) {
    Objects.requireNonNull(range, "range");
    StorePath parsed = path("directory", directory);
    return look(Looks.names(parsed, range), port -> files.names(parsed, range, port));
  }

  @Override
  public final String readLink(CharSequence path) {
    StorePath parsed = path(path);
    return look(Looks.readLink(parsed), port -> files.readLink(parsed, port));
  }

  @Override
  public final Optional<byte[]> property(String name) {
    Objects.requireNonNull(name, "name");
    try {
      return Optional.of(look(Looks.property(name), port -> files.property(name, port)));
    } catch (UpcallException failed) {
      if (failed.failure() instanceof Failure.NotFound) {
        return Optional.empty();
      }
      throw failed;
    }
  }

  private <T> T look(Query<T> query, Consumer<? super CompletionPort<T>> request) {
    return published == null ? calls.call(request) : calls.look(published, query, request);
  }

  // ------------------------------------------------------------------ reading

  @Override
  public final ReadStream read(CharSequence path) {
    StorePath parsed = path(path);
    Completion<ReadStream> seen =
        published == null || !calls.maySee() ? null : copied(published, parsed);
    if (seen != null) {
      return UpcallException.value(seen);
    }
    return opened(calls.call(port -> openWanted(parsed, port)));
  }

  @Override
  public final SeekableByteChannel newByteChannel(CharSequence path) {
    return new VersionChannel(read(path));
  }

  private @Nullable Completion<ReadStream> copied(PublishedReads all, StorePath path) {
    return all.read(
        Looks.at(path, LinkPolicy.FOLLOW),
        seen -> seen.inode().kind() == Kind.FILE ? seen.inode() : null,
        PublishedReads.Room.inHeap(MAX_STREAM_COPY_BYTES),
        (seen, bytes) ->
            new FileReadStream(
                new CopySource(calls, seen.info(), bytes), bytes.asReadOnlyBuffer()));
  }

  private ReadStream opened(ReadSide side) {
    return new FileReadStream(new PortSource(calls, side, published != null));
  }

  private void openWanted(StorePath path, CompletionPort<ReadSide> port) {
    if (published != null) {
      published.contentsWanted();
    }
    openRead(path, port);
  }

  @Override
  public final byte[] readAllBytes(CharSequence path) {
    StorePath parsed = path(path);
    Completion<byte[]> seen =
        published == null || !calls.maySee()
            ? null
            : published.bytes(Looks.content(parsed), MAX_SEEN_BYTES);
    if (seen != null) {
      return UpcallException.value(seen);
    }
    WholeRead.Found found = calls.call(port -> readWhole(parsed, port));
    return switch (found) {
      case WholeRead.Found.Copied(byte[] bytes) -> bytes;
      case WholeRead.Found.Large(ReadSide side, HeapBudget.Hold hold) -> {
        try {
          yield copy(parsed, side);
        } finally {
          hold.giveBack();
        }
      }
    };
  }

  private void readWhole(StorePath path, CompletionPort<WholeRead.Found> port) {
    if (published != null) {
      published.contentsWanted();
    }
    Openings.open(files, path, READER, new WholeRead(path, this::keep, dispatcher.heap(), port));
  }

  private byte[] copy(StorePath path, ReadSide side) {
    try (ReadStream stream = opened(side)) {
      byte[] bytes = WholeRead.array(path, stream.info().sizeBytes());
      ByteBuffer into = ByteBuffer.wrap(bytes);
      while (into.hasRemaining()) {
        int count = stream.read(into.position(), into);
        if (count < 0) {
          throw new IllegalStateException("a pinned version ended early: " + path);
        }
      }
      return bytes;
    }
  }

  private void openRead(StorePath path, CompletionPort<ReadSide> port) {
    Openings.open(
        files,
        path,
        READER,
        completion -> {
          switch (completion) {
            case Completion.Failed<OpenFile> failed -> port.complete(failed.cast());
            case Completion.Done<OpenFile>(OpenFile file) -> {
              PinnedContent content = file.content();
              port.complete(
                  content == null
                      ? Completion.failed(new Failure.IsADirectory(path.toString()))
                      : Completion.done(keep(file, content)));
            }
          }
        });
  }

  private ReadSide keep(OpenFile file, PinnedContent content) {
    return new ReadSide(dispatcher, file, content, openReads);
  }
}
