package dev.upcall.fileman;

import dev.upcall.buffer.LeaseOwner;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;
import dev.upcall.segment.Inode;
import dev.upcall.segment.Kind;
import dev.upcall.segment.PinnedContent;
import dev.upcall.txn.Query;
import dev.upcall.txn.Reading;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads files in a store as it is now, or in a snapshot of one. */
class StoreReads implements FileReads {
  private final Reading reading;
  private final Entrance entrance;
  private final int stepEntries;

  /**
   * Readers.
   *
   * @param stepEntries how many entries of a directory one look goes over
   */
  StoreReads(Reading reading, Entrance entrance, int stepEntries) {
    this.reading = reading;
    this.entrance = entrance;
    this.stepEntries = stepEntries;
  }

  @Override
  public final void stat(StorePath path, LinkPolicy links, CompletionPort<FileInfo> port) {
    query(FileOperation.STAT, Looks.stat(path, links), port);
  }

  @Override
  public final void openRead(StorePath path, LeaseOwner owner, CompletionPort<OpenFile> port) {
    CompletionPort<OpenFile> inside = entrance.enter(FileOperation.OPEN_READ, port);
    if (inside == null) {
      return;
    }
    OpenLook look = new OpenLook(path);
    reading.pin(
        look,
        owner,
        completion -> {
          switch (completion) {
            case Completion.Done<PinnedContent>(PinnedContent content) ->
                inside.complete(Completion.done(new OpenFile(look.seen(), content)));
            case Completion.Failed<PinnedContent> failed -> {
              if (look.sawDirectory()) {
                inside.complete(Completion.done(new OpenFile(look.seen(), null)));
              } else {
                inside.complete(failed.cast());
              }
            }
          }
        });
  }

  @Override
  public final void list(
      StorePath directory, @Nullable String afterName, int limit, CompletionPort<Listing> port) {
    CompletionPort<Listing> inside = entrance.enter(FileOperation.LIST, port);
    if (inside == null) {
      return;
    }
    byte[] after = afterName == null ? null : StorePath.encode(afterName);
    Failure refusal = Listing.refuses(afterName, limit);
    if (refusal != null) {
      entrance.dispatcher().complete(inside, Completion.failed(refusal));
    } else {
      ListRun run = new ListRun(reading, stepEntries, limit, inside);
      reading.query(Looks.page(directory, after, run.nextStep()), run);
    }
  }

  @Override
  public final void readLink(StorePath path, CompletionPort<String> port) {
    query(FileOperation.READ_LINK, Looks.readLink(path), port);
  }

  @Override
  public final void property(String name, CompletionPort<byte[]> port) {
    query(FileOperation.PROPERTY, Looks.property(name), port);
  }

  private <T> void query(FileOperation operation, Query<T> query, CompletionPort<T> port) {
    CompletionPort<T> inside = entrance.enter(operation, port);
    if (inside != null) {
      reading.query(query, inside);
    }
  }

  /** Finds what to pin, and remembers what the last run saw. */
  private static final class OpenLook implements Query<Inode> {
    private final Query<Looks.Seen> look;
    private final List<FileInfo> seen = new ArrayList<>(1);

    OpenLook(StorePath path) {
      this.look = Looks.at(path, LinkPolicy.FOLLOW);
    }

    @Override
    public Completion<Inode> run(dev.upcall.txn.View view) {
      seen.clear();
      return switch (look.run(view)) {
        case Completion.Failed<Looks.Seen> failed -> failed.cast();
        case Completion.Done<Looks.Seen>(Looks.Seen found) -> {
          seen.add(found.info());
          yield found.inode().kind() == Kind.FILE
              ? Completion.done(found.inode())
              : Completion.failed(new Failure.IsADirectory(found.info().name()));
        }
      };
    }

    FileInfo seen() {
      return seen.getFirst();
    }

    boolean sawDirectory() {
      return !seen.isEmpty() && seen.getFirst().isDirectory();
    }
  }
}
