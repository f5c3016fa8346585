package dev.upcall.fileman.blocking;

import static dev.upcall.fileman.blocking.Calls.path;

import dev.upcall.FileManager;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.Upcall.ReadStream;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.Kind;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.fileman.reading.PublishedLooks;
import dev.upcall.fileman.reading.ReadSide;
import dev.upcall.fileman.reading.WholeRead;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.request.Look;
import dev.upcall.txn.PublishedReads;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Looking and reading, each a call that waits. */
abstract class BlockingReads implements UpcallReads {
  /** A whole file that callers copy themselves: so much is copied in vain at most. */
  private static final int MAX_SEEN_BYTES = 1 << 20;

  /** A file that a stream copies when it is opened, and then needs nothing of the store. */
  private static final int MAX_STREAM_COPY_BYTES = 64 << 10;

  private static final LeaseOwner READER = new LeaseOwner("blocking-read", 0);

  private final Calls calls;
  private final PublishedLooks looks;

  /** Reads. */
  BlockingReads(Calls calls, PublishedLooks looks) {
    this.calls = calls;
    this.looks = looks;
  }

  /** The looks of a store, at its facade. */
  static PublishedLooks looks(FileManager files) {
    return PublishedLooks.of(files, READER);
  }

  final PublishedLooks looks() {
    return looks;
  }

  @Override
  @SuppressWarnings("unchecked") // a whole file is bytes
  public final <R> R ask(Look<R> look) {
    Objects.requireNonNull(look, "look");
    Completion<R> seen = maySee() ? looks.seen(look, MAX_SEEN_BYTES) : null;
    if (seen != null) {
      return UpcallException.value(seen);
    }
    return look instanceof Look.ReadWhole(StorePath path)
        ? (R) readWhole(path)
        : calls.call(port -> looks.ask(look, port));
  }

  private boolean maySee() {
    return looks.published() != null && calls.maySee();
  }

  @Override
  public final ReadStream read(CharSequence path) {
    StorePath parsed = path(path);
    PublishedReads published = looks.published();
    Completion<ReadStream> seen =
        published == null || !calls.maySee() ? null : copied(published, parsed);
    if (seen != null) {
      return UpcallException.value(seen);
    }
    return opened(calls.call(port -> open(parsed, port)));
  }

  private void open(StorePath path, CompletionPort<ReadSide> port) {
    PublishedReads published = looks.published();
    if (published != null) {
      published.contentsWanted();
    }
    looks.open(path, port);
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
    return new FileReadStream(new PortSource(calls, side, looks.published() != null));
  }

  /** A large one is copied here. */
  private byte[] readWhole(StorePath path) {
    WholeRead.Found found = calls.call(port -> looks.whole(path, port));
    return switch (found) {
      case WholeRead.Found.Copied(byte[] bytes) -> bytes;
      case WholeRead.Found.Large(ReadSide side, HeapBudget.Hold hold) -> {
        try {
          yield copy(path, side);
        } finally {
          hold.giveBack();
        }
      }
    };
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
}
