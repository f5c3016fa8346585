package dev.upcall.fileman.machine;

import dev.upcall.FileOperation;
import dev.upcall.FileReads;
import dev.upcall.LinkPolicy;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.Texts;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.fileman.plan.Walk;
import dev.upcall.fileman.reading.ArrayRead;
import dev.upcall.fileman.reading.PortWay;
import dev.upcall.fileman.reading.PublishedLooks;
import dev.upcall.fileman.reading.RangeRead;
import dev.upcall.fileman.reading.ReadSide;
import dev.upcall.fileman.reading.VersionRead;
import dev.upcall.fsm.Gate;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.request.Look;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.txn.PublishedReads;
import dev.upcall.txn.Query;
import dev.upcall.txn.ReadSource;
import dev.upcall.txn.View;
import java.util.LinkedHashSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads files in a store as it is now, or in a snapshot of one. */
class StoreReads implements FileReads, PublishedLooks.Source {
  private static final LeaseOwner READER = new LeaseOwner("file-read", 0);

  /** Bytes and the text that is made of them, of two bytes a character at most. */
  private static final int TEXT_TIMES = 3;

  private final ReadSource reading;
  private final Entrance entrance;
  private final int stepEntries;

  /**
   * Readers.
   *
   * @param stepEntries how many entries of a directory one look goes over
   */
  StoreReads(ReadSource reading, Entrance entrance, int stepEntries) {
    this.reading = reading;
    this.entrance = entrance;
    this.stepEntries = stepEntries;
  }

  @Override
  public final @Nullable PublishedReads published() {
    return reading.published();
  }

  @Override
  @SuppressWarnings("unchecked") // what is read of content is bytes
  public final <R> void ask(Look<R> look, CompletionPort<R> port) {
    Objects.requireNonNull(look, "look");
    switch (look) {
      case Look.OfNames<R> names -> askNames(names, port);
      case Look.ReadWhole whole -> readWhole(whole.path(), (CompletionPort<byte[]>) port);
      case Look.ReadRange range ->
          openRead(
              range.path(), READER, new RangeRead(range, () -> {}, (CompletionPort<byte[]>) port));
    }
  }

  private <R> void askNames(Look.OfNames<R> look, CompletionPort<R> port) {
    CompletionPort<R> inside = entrance.enter(look.operation(), port);
    if (inside == null) {
      return;
    }
    Walk<?, R> walk;
    try {
      record(look);
      walk = Looks.walk(look, stepEntries);
      if (walk == null) {
        reading.query(Looks.of(look), inside);
      }
    } catch (OutOfMemoryError noRoom) {
      withoutRoom(inside);
      return;
    }
    if (walk != null) {
      page(walk, look.paths().getFirst(), inside);
    }
  }

  /** Nothing was asked yet: the answer, in a later upcall, is that there is no memory for it. */
  private void withoutRoom(CompletionPort<?> inside) {
    entrance.dispatcher().complete(inside, HeapBudget.failedFull());
  }

  private void record(Look.OfNames<?> look) {
    switch (look) {
      case Look.Stat stat -> entrance.inputs().look(stat.path(), stat.links());
      case Look.Exists exists -> entrance.inputs().look(exists.path(), LinkPolicy.FOLLOW);
      case Look.Resolve resolve -> entrance.inputs().look(resolve.path(), resolve.links());
      case Look.ListPage list ->
          entrance.inputs().list(list.directory(), list.afterName(), list.limit());
      case Look.Names names -> entrance.inputs().names(names.directory(), names.range());
      case Look.ReadLink link -> entrance.inputs().look(link.path(), LinkPolicy.NO_FOLLOW);
      case Look.Property property -> entrance.inputs().property(property.name());
      case Look.Entry _, Look.Entries _, Look.EntryCount _ ->
          entrance.inputs().look(look.paths().getFirst(), LinkPolicy.FOLLOW);
    }
  }

  @Override
  public final void openRead(CharSequence path, LeaseOwner owner, CompletionPort<OpenFile> port) {
    Objects.requireNonNull(owner, "owner");
    at(
        path,
        port,
        parsed -> {
          CompletionPort<OpenFile> inside = entrance.enter(FileOperation.OPEN_READ, port);
          if (inside != null) {
            try {
              entrance.inputs().look(parsed, LinkPolicy.FOLLOW);
              Opening run = new Opening(parsed);
              reading.pin(
                  run,
                  owner,
                  completion ->
                      inside.complete(entrance.inputs().opened(parsed, run.opened(completion))));
            } catch (OutOfMemoryError noRoom) {
              withoutRoom(inside);
            }
          }
        });
  }

  @Override
  public final @Nullable Completion<OpenFile> tryOpenRead(CharSequence path, LeaseOwner owner) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(owner, "owner");
    Failure refusal = entrance.refuses();
    if (refusal != null) {
      return HeapBudget.failed(refusal);
    }
    return switch (StorePath.parse(path)) {
      case Completion.Failed<StorePath> failed -> failed.cast();
      case Completion.Done<StorePath>(StorePath parsed) -> tryOpen(parsed, owner);
    };
  }

  private @Nullable Completion<OpenFile> tryOpen(StorePath path, LeaseOwner owner) {
    Opening run = new Opening(path);
    Completion<PinnedContent> pinned = reading.tryPin(run, owner);
    if (pinned == null) {
      return null;
    }
    try {
      Completion<OpenFile> opened = run.opened(pinned);
      entrance.completedAtOnce(FileOperation.OPEN_READ, opened);
      entrance.inputs().look(path, LinkPolicy.FOLLOW);
      return entrance.inputs().opened(path, opened);
    } catch (OutOfMemoryError noRoom) {
      if (pinned instanceof Completion.Done<PinnedContent>(PinnedContent content)) {
        content.close();
      }
      throw noRoom;
    }
  }

  @Override
  public final void readString(CharSequence path, CompletionPort<String> port) {
    at(
        path,
        port,
        parsed -> {
          HeapBudget.Hold hold = entrance.dispatcher().heap().hold();
          CompletionPort<String> over = hold.until(untilOver(port));
          readWhole(
              parsed,
              new ArrayRead.Room(hold, TEXT_TIMES),
              over.then(
                  bytes ->
                      entrance
                          .largeWork()
                          .run(parsed, bytes.length, () -> Texts.decode(parsed, bytes), over)));
        });
  }

  private void readWhole(StorePath path, CompletionPort<byte[]> port) {
    HeapBudget.Hold hold = entrance.dispatcher().heap().hold();
    readWhole(path, new ArrayRead.Room(hold, 1), hold.until(untilOver(port)));
  }

  private void readWhole(StorePath path, ArrayRead.Room room, CompletionPort<byte[]> port) {
    ArrayRead read = new ArrayRead(path, entrance.largeWork(), room, port);
    openRead(path, READER, VersionRead.opening(path, this::held, read));
  }

  /** Closing waits for a request of several steps as it does for each of them. */
  private <T> CompletionPort<T> untilOver(CompletionPort<T> port) {
    Gate gate = entrance.gate();
    if (!gate.enter()) {
      return port; // its first step is refused
    }
    return completion -> {
      gate.leave();
      port.complete(completion);
    };
  }

  private ReadSide held(OpenFile file, PinnedContent content) {
    return new ReadSide(entrance.dispatcher(), file, content, new LinkedHashSet<>());
  }

  @Override
  public final void read(CharSequence path, CompletionPort<Content> port) {
    at(
        path,
        port,
        parsed ->
            openRead(
                parsed,
                READER,
                VersionRead.opening(
                    parsed,
                    this::held,
                    opened ->
                        port.complete(opened.map(side -> new VersionRead(side, PortWay.HERE))))));
  }

  /** Makes a page, for which it takes room where it may become a large one. */
  private <S, R> void page(Walk<S, R> walk, StorePath directory, CompletionPort<R> inside) {
    if (walk.maxBytes() <= HeapBudget.UNCOUNTED_BYTES) {
      goOn(walk, inside);
      return;
    }
    HeapBudget.Hold hold = entrance.dispatcher().heap().hold();
    CompletionPort<R> over = hold.until(inside);
    CompletionPort<Unit> whenHeld = over.then(_ -> goOn(walk, over));
    hold.take(walk.maxBytes(), directory, whenHeld);
  }

  private <S, R> void goOn(Walk<S, R> walk, CompletionPort<R> inside) {
    if (walk.isComplete()) {
      inside.complete(Completion.done(walk.result()));
      return;
    }
    try {
      reading.query(
          walk.nextStep(),
          completion -> {
            switch (completion) {
              case Completion.Failed<S> failed -> inside.complete(failed.cast());
              case Completion.Done<S>(S step) -> {
                walk.take(step);
                goOn(walk, inside);
              }
            }
          });
    } catch (OutOfMemoryError noRoom) {
      withoutRoom(inside);
    }
  }

  @Override
  public final <T> void refuse(Failure failure, CompletionPort<T> port) {
    Objects.requireNonNull(failure, "failure");
    Objects.requireNonNull(port, "port");
    entrance.dispatcher().complete(port, Completion.failed(failure));
  }

  @Override
  public final <T> CompletionPort<T> fromAnyThread(CompletionPort<T> port) {
    Objects.requireNonNull(port, "port");
    return completion -> entrance.dispatcher().execute(() -> port.complete(completion));
  }

  /** One opening: finds what to pin, and remembers what the last look saw. */
  private static final class Opening implements Query<Inode> {
    private final StorePath path;
    private final Query<Looks.Seen> look;
    private Looks.@Nullable Seen seen;

    Opening(StorePath path) {
      this.path = path;
      this.look = Looks.at(path, LinkPolicy.FOLLOW);
    }

    @Override
    public Completion<Inode> run(View view) {
      seen = null;
      return switch (look.run(view)) {
        case Completion.Failed<Looks.Seen> failed -> failed.cast();
        case Completion.Done<Looks.Seen>(Looks.Seen found) -> {
          seen = found;
          Failure noContent = Looks.noContent(found.inode().kind(), path.toString());
          yield noContent == null ? Completion.done(found.inode()) : Completion.failed(noContent);
        }
      };
    }

    /** What the opening comes to, given what pinning came to. */
    Completion<OpenFile> opened(Completion<PinnedContent> completion) {
      Looks.Seen at = seen;
      return switch (completion) {
        case Completion.Done<PinnedContent>(PinnedContent content) -> {
          content.name(path.toString());
          Looks.Seen pinned = Invariants.present(at, "metadata of what was pinned");
          yield Completion.done(new OpenFile(pinned.info(), content, pinned.led()));
        }
        case Completion.Failed<PinnedContent> failed ->
            at != null && at.info().isDirectory()
                ? Completion.done(new OpenFile(at.info(), null, at.led()))
                : failed.cast();
      };
    }
  }
}
