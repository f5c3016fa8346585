package dev.upcall.threads.files;

import static dev.upcall.UpcallException.value;
import static dev.upcall.fileman.blocking.Calls.path;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.fileman.blocking.Calls;
import dev.upcall.fileman.blocking.FileReadStream;
import dev.upcall.fileman.blocking.VersionChannel;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.fileman.plan.Walk;
import dev.upcall.request.Look;
import dev.upcall.segment.layout.Inode;
import dev.upcall.threads.SharedContent;
import dev.upcall.threads.ThreadStore;
import dev.upcall.txn.Query;
import dev.upcall.txn.View;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Looking and reading on the caller's own thread. */
abstract class ThreadReads implements UpcallReads {

  private final Calls calls;
  private final ThreadStore store;
  private final int stepEntries;
  private final Set<SharedContent> open = ConcurrentHashMap.newKeySet();

  /**
   * Reads.
   *
   * @param stepEntries how many entries of a directory one look goes over
   */
  ThreadReads(Calls calls, ThreadStore store, int stepEntries) {
    this.calls = calls;
    this.store = store;
    this.stepEntries = stepEntries;
  }

  /** Closes what is open for reading; nobody reads any more. */
  final void closeReads() {
    open.forEach(SharedContent::close);
  }

  @Override
  @SuppressWarnings("unchecked") // what is read of content is bytes
  public final <R> R ask(Look<R> look) {
    Objects.requireNonNull(look, "look");
    return switch (look) {
      case Look.OfNames<R> names -> {
        Walk<?, R> walk = Looks.walk(names, stepEntries);
        yield walk == null ? look(Looks.of(names)) : all(walk);
      }
      case Look.ReadWhole whole -> (R) store.stages().of(() -> read(whole, 0, MAX_ARRAY_BYTES));
      case Look.ReadRange range -> (R) read(range, range.offset(), range.maxBytes());
    };
  }

  private <S, R> R all(Walk<S, R> walk) {
    return calls.inside(
        () -> {
          while (!walk.isComplete()) {
            walk.take(value(store.look(walk.nextStep())));
          }
          return walk.result();
        });
  }

  @Override
  public final Upcall.ReadStream read(CharSequence path) {
    StorePath parsed = path(path);
    return calls.inside(() -> new FileReadStream(new Held(calls, hold(parsed), open)));
  }

  @Override
  public final SeekableByteChannel newByteChannel(CharSequence path) {
    return new VersionChannel(read(path));
  }

  private byte[] read(Look.OfContent look, long offset, long maxBytes) {
    return calls.inside(
        () -> {
          try (SharedContent content = hold(look.path()).content()) {
            long left = Math.max(0, content.inode().size() - offset);
            if (look instanceof Look.ReadWhole && left > maxBytes) {
              throw UpcallException.of(
                  new Failure.TooLarge(look.path().toString(), left, MAX_ARRAY_BYTES));
            }
            byte[] bytes = new byte[(int) Math.min(left, maxBytes)];
            value(content.read(offset, ByteBuffer.wrap(bytes)));
            return bytes;
          }
        });
  }

  /** A question on the caller's thread. */
  final <T> T look(Query<T> query) {
    return calls.inside(() -> value(store.look(query)));
  }

  private Opened hold(StorePath path) {
    OpenLook look = new OpenLook(path);
    SharedContent content = value(store.open(look, path.toString()));
    return new Opened(look.seen(), content);
  }

  /** A version that is held, with what is known of it under its name. */
  private record Opened(FileInfo info, SharedContent content) {}

  /** Finds what to hold, and remembers what the last look saw. */
  private static final class OpenLook implements Query<Inode> {
    private final StorePath path;
    private final Query<Looks.Seen> look;
    private final List<FileInfo> seen = new ArrayList<>(1);

    OpenLook(StorePath path) {
      this.path = path;
      this.look = Looks.at(path, LinkPolicy.FOLLOW);
    }

    @Override
    public Completion<Inode> run(View view) {
      seen.clear();
      return switch (look.run(view)) {
        case Completion.Failed<Looks.Seen> failed -> failed.cast();
        case Completion.Done<Looks.Seen>(Looks.Seen found) -> {
          seen.add(found.info());
          Failure noContent = Looks.noContent(found.inode().kind(), path.toString());
          yield noContent == null ? Completion.done(found.inode()) : Completion.failed(noContent);
        }
      };
    }

    FileInfo seen() {
      return seen.getFirst();
    }
  }

  /** What a stream reads. */
  private static final class Held implements FileReadStream.Source {
    private final Calls calls;
    private final Opened opened;
    private final Set<SharedContent> open;

    Held(Calls calls, Opened opened, Set<SharedContent> open) {
      this.calls = calls;
      this.opened = opened;
      this.open = open;
      open.add(opened.content());
    }

    @Override
    public FileInfo info() {
      return opened.info();
    }

    @Override
    public int read(long offset, ByteBuffer into) {
      if (!into.hasRemaining()) {
        return 0;
      }
      return calls.inside(
          () -> {
            checkOpen();
            int count = value(opened.content().read(offset, into));
            return count == 0 ? -1 : count;
          });
    }

    @Override
    public ContentSlice slice(long offset, int maxBytes) {
      return calls.inside(
          () -> {
            checkOpen();
            return value(opened.content().slice(offset, maxBytes));
          });
    }

    private void checkOpen() {
      if (!open.contains(opened.content())) {
        throw UpcallException.of(new Failure.Closed(opened.info().name()));
      }
    }

    @Override
    public void close() {
      open.remove(opened.content());
      opened.content().close();
    }
  }
}
