package dev.upcall.fileman.plan;

import dev.upcall.BatchResult;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.LinkPolicy;
import dev.upcall.Parents;
import dev.upcall.StorePath;
import dev.upcall.access.SegmentEdits;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import dev.upcall.content.StagedContent;
import dev.upcall.content.Texts;
import dev.upcall.request.FileRequest;
import dev.upcall.request.TableRequest;
import dev.upcall.segment.layout.Inode;
import dev.upcall.tree.PageMissing;
import dev.upcall.txn.Change;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.View;
import dev.upcall.txn.lock.LockKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Plans a batch: pure, so that it can run again when a page was missing. */
public final class BatchPlanner implements Change<BatchResult> {
  /** Notes nothing. */
  public static final Function<BatchResult, Completion<List<FileRequest>>> NO_NOTES =
      _ -> Completion.done(List.of());

  private final FileBatch batch;
  private final Function<BatchResult, Completion<List<FileRequest>>> notes;

  /** Which segments the last plan made or changed, by request; 0: none. For messages. */
  private long[] segments = {};

  /** A planner of a batch whose content is all staged. */
  public BatchPlanner(FileBatch batch) {
    this(batch, NO_NOTES);
  }

  /**
   * The same with more to do behind the requests.
   *
   * @param notes properties, by what the requests leave; pure
   */
  public BatchPlanner(FileBatch batch, Function<BatchResult, Completion<List<FileRequest>>> notes) {
    this.batch = batch;
    this.notes = notes;
  }

  /** When all of it happens, nanoseconds since 1970. */
  public long timeNanos() {
    return batch.timeNanos();
  }

  /** Whether files are edited, which {@link #plan(View, Mutations)} cannot do. */
  public static boolean edits(List<FileRequest> requests) {
    return requests.stream().anyMatch(BatchPlanner::edits);
  }

  private static boolean edits(FileRequest request) {
    return switch (request) {
      case FileRequest.Splice _, FileRequest.CopyRange _ -> true;
      case FileRequest.Put _,
          FileRequest.CreateDirectory _,
          FileRequest.SymbolicLink _,
          FileRequest.Delete _,
          FileRequest.DeleteTree _,
          FileRequest.Rename _,
          FileRequest.Clone _,
          FileRequest.SetMetadata _,
          FileRequest.SetProperty _,
          FileRequest.RemoveProperty _,
          TableRequest _ ->
          false;
    };
  }

  @Override
  public Completion<BatchResult> plan(View view, Mutations out) {
    return plan(view, out, run -> run.namespace.emit(out));
  }

  /** As {@link #plan(View, Mutations)}, with edits in the middle of files. */
  public Completion<BatchResult> plan(View view, SegmentMutations out, SegmentEdits edits) {
    return plan(view, out, run -> run.namespace.emit(out, edited -> edits.plan(view, out, edited)));
  }

  private Completion<BatchResult> plan(View view, Mutations out, Consumer<Run> emit) {
    return Refused.catching(
        () -> {
          Run run = new Run(view, out, batch.timeNanos());
          List<Optional<FileInfo>> files = new ArrayList<>(batch.requests().size());
          for (FileRequest request : batch.requests()) {
            try {
              files.add(Optional.ofNullable(run.plan(request)));
            } catch (PageMissing missing) {
              throw run.tables.missing(missing, behind(files.size()));
            }
          }
          segments = segments(files);
          BatchResult result = new BatchResult(files, List.copyOf(run.tables.removals()));
          switch (notes.apply(result)) {
            case Completion.Failed<List<FileRequest>>(Failure why) -> throw new Refused(why);
            case Completion.Done<List<FileRequest>>(List<FileRequest> more) ->
                more.forEach(run::plan);
          }
          run.tables.emit(out);
          emit.accept(run);
          return result;
        });
  }

  /** The requests behind the one with a number. */
  private List<FileRequest> behind(int number) {
    return batch.requests().subList(number + 1, batch.requests().size());
  }

  private static long[] segments(List<Optional<FileInfo>> made) {
    long[] ids = new long[made.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = made.get(i).isPresent() ? made.get(i).get().id() : 0;
    }
    return ids;
  }

  @Override
  public String purpose() {
    return LockWords.purpose(batch.requests());
  }

  @Override
  public String nameOf(LockKey key) {
    return LockWords.name(key, batch.requests(), segments);
  }

  /** One run over one view. */
  private static final class Run {
    private final Namespace namespace;
    private final Mutations out;
    private final long now;
    private final EntryRemover remover;
    private final Splicer splicer;
    private final Tables tables;

    Run(View view, Mutations out, long now) {
      this.namespace = new Namespace(view, now);
      this.out = out;
      this.now = now;
      this.remover = new EntryRemover(namespace, now);
      this.splicer = new Splicer(namespace, now);
      this.tables = new Tables(namespace, view);
    }

    @Nullable FileInfo plan(FileRequest request) {
      return switch (request) {
        case FileRequest.Put put -> put(put);
        case FileRequest.CreateDirectory create -> createDirectory(create);
        case FileRequest.SymbolicLink link -> symbolicLink(link);
        case FileRequest.SetMetadata set -> setMetadata(set);
        case FileRequest.Rename rename -> rename(rename);
        case FileRequest.Clone clone -> new Cloner(namespace, out, remover, now).cloneFile(clone);
        case FileRequest.Splice splice -> splicer.splice(splice);
        case FileRequest.CopyRange copy -> splicer.copy(copy);
        case FileRequest.Delete delete -> remover.delete(delete.path(), delete.condition());
        case FileRequest.DeleteTree delete -> remover.deleteTree(delete.path(), delete.condition());
        case FileRequest.SetProperty set -> property(set.name(), set.value());
        case FileRequest.RemoveProperty remove -> property(remove.name(), null);
        case TableRequest.CreateTable create -> createTable(create);
        case TableRequest table -> tables.change(table);
      };
    }

    private FileInfo put(FileRequest.Put put) {
      StagedContent content =
          switch (put.content()) {
            case FileContent.Staged(StagedContent staged) -> staged;
            case FileContent.Bytes _ -> throw new IllegalStateException("content is not staged");
            case FileContent.Following _ ->
                throw new Refused(new Failure.Invalid(put.purpose() + ": its content is not here"));
          };
      if (put.path().isEntry()) {
        return tables.put(put, content, out.newSegmentId(), now);
      }
      Resolution target = PutCheck.check(namespace, put.path(), put.options());
      Inode file =
          switch (target) {
            case Resolution.Missing missing ->
                makeFile(makeDirectories(missing), missing.names().getLast());
            case Resolution.Found found when found.kind() == Kind.SYMBOLIC_LINK -> {
              remover.unlink(found);
              yield makeFile(found.directory(), found.name());
            }
            case Resolution.Found found -> {
              namespace.located(found);
              Inode old = Inodes.withoutExpiry(namespace.inode(found.id()));
              yield Inodes.modified(old, now);
            }
          };
      Inode changed = Inodes.with(file, put.options().metadata(), now, put.path().toString());
      Inode sized = changed.withContent(content.sizeBytes(), changed.layout());
      return FileInfos.of(put.path().lastName(), namespace.putInode(sized, content));
    }

    private FileInfo createDirectory(FileRequest.CreateDirectory create) {
      StorePath path = create.path();
      boolean mayBeThere = create.parents() == Parents.MAKE;
      LinkPolicy links = mayBeThere ? LinkPolicy.FOLLOW : LinkPolicy.NO_FOLLOW;
      switch (Resolver.resolve(namespace, path, links)) {
        case Resolution.Found found -> {
          if (!mayBeThere || found.kind() != Kind.DIRECTORY) {
            throw new Refused(new Failure.AlreadyExists(path.toString()));
          }
          return FileInfos.of(path.lastName(), namespace.inode(found.id()));
        }
        case Resolution.Missing missing -> {
          PutCheck.checkParents(namespace, missing, create.parents(), path);
          long parent = makeDirectories(missing);
          Inode made = makeDirectory(parent, missing.names().getLast());
          Inode changed = Inodes.with(made, create.metadata(), now, path.toString());
          return FileInfos.of(path.lastName(), namespace.putInode(changed));
        }
      }
    }

    private FileInfo createTable(TableRequest.CreateTable create) {
      StorePath path = create.path();
      boolean mayBeThere = create.parents() == Parents.MAKE;
      LinkPolicy links = mayBeThere ? LinkPolicy.FOLLOW : LinkPolicy.NO_FOLLOW;
      switch (Resolver.resolve(namespace, path, links)) {
        case Resolution.Found found -> {
          if (!mayBeThere || found.kind() != Kind.TABLE) {
            throw new Refused(new Failure.AlreadyExists(path.toString()));
          }
          return FileInfos.of(path.lastName(), namespace.inode(found.id()));
        }
        case Resolution.Missing missing -> {
          PutCheck.checkParents(namespace, missing, create.parents(), path);
          long parent = makeDirectories(missing);
          Inode table =
              Inodes.create(out.newSegmentId(), Kind.TABLE, 0, FileRequest.DEFAULT_FILE_MODE, now);
          Inode made = enter(parent, missing.names().getLast(), table);
          Inode changed = Inodes.with(made, create.metadata(), now, path.toString());
          tables.make(changed.id());
          return FileInfos.of(path.lastName(), namespace.putInode(changed));
        }
      }
    }

    private FileInfo symbolicLink(FileRequest.SymbolicLink link) {
      StorePath path = link.path();
      byte[] target = Texts.utf8(link.target()).orElse(null);
      if (target == null || target.length == 0 || link.target().indexOf('\0') >= 0) {
        throw new Refused(
            new Failure.Invalid(
                path + ": a link's target is well-formed text without NUL, and not empty"));
      }
      if (target.length > FileRequest.MAX_TARGET_BYTES) {
        throw new Refused(
            new Failure.TooLarge(
                "the target of link " + path, target.length, FileRequest.MAX_TARGET_BYTES));
      }
      switch (Resolver.resolve(namespace, path, LinkPolicy.NO_FOLLOW)) {
        case Resolution.Found _ -> throw new Refused(new Failure.AlreadyExists(path.toString()));
        case Resolution.Missing missing -> {
          PutCheck.checkParents(namespace, missing, Parents.MUST_EXIST, path);
          Inode made = Inodes.createLink(out.newSegmentId(), target, now);
          enter(missing.directory(), missing.names().getLast(), made);
          Inode changed = Inodes.with(made, link.metadata(), now, path.toString());
          return FileInfos.of(path.lastName(), namespace.putInode(changed));
        }
      }
    }

    private FileInfo setMetadata(FileRequest.SetMetadata set) {
      Resolution.Found found = Resolver.find(namespace, set.path(), set.links(), set.condition());
      if (found.kind().mayExpire()) {
        namespace.located(found);
      }
      Inode inode = Inodes.changed(namespace.inode(found.id()), now);
      Inode changed = Inodes.with(inode, set.change(), now, set.path().toString());
      return FileInfos.of(set.path().lastName(), namespace.putInode(changed));
    }

    private FileInfo rename(FileRequest.Rename rename) {
      if (Unlinked.isIn(rename.to()) && Unlinked.present(namespace) == null) {
        makeUnlinked();
      }
      return new Renamer(namespace, remover, now).rename(rename);
    }

    /** The one that {@link Unlinked} refuses to anybody who asks for it. */
    private void makeUnlinked() {
      long root = FileManager.ROOT_ID;
      Inode made = newDirectory(root);
      namespace.putEntry(
          root, StorePath.UNLINKED.encoded(0), new Names.Entry(made.id(), made.kind()));
      namespace.putInode(Inodes.modified(namespace.inode(root), now));
      namespace.putInode(made);
    }

    private @Nullable FileInfo property(String name, byte @Nullable [] value) {
      byte[] key = Properties.key(name);
      if (value != null && value.length > FileRequest.MAX_PROPERTY_BYTES) {
        throw new Refused(
            new Failure.TooLarge("property " + name, value.length, FileRequest.MAX_PROPERTY_BYTES));
      }
      namespace.property(key, value);
      return null;
    }

    /** Makes the directories on a missing way and returns the one that will hold its last name. */
    private long makeDirectories(Resolution.Missing missing) {
      long directory = missing.directory();
      for (String name : missing.names().subList(0, missing.names().size() - 1)) {
        directory = makeDirectory(directory, name).id();
      }
      return directory;
    }

    private Inode makeFile(long directory, String name) {
      Inode made =
          Inodes.create(out.newSegmentId(), Kind.FILE, 0, FileRequest.DEFAULT_FILE_MODE, now);
      return enter(directory, name, made);
    }

    private Inode makeDirectory(long parent, String name) {
      return namespace.putInode(enter(parent, name, newDirectory(parent)));
    }

    private Inode newDirectory(long parent) {
      return Inodes.create(
          out.newSegmentId(), Kind.DIRECTORY, parent, FileRequest.DEFAULT_DIRECTORY_MODE, now);
    }

    private Inode enter(long directory, String name, Inode made) {
      byte[] checked = PutCheck.checkedName(name);
      Names.Entry entry = new Names.Entry(made.id(), made.kind());
      Unlinked.check(namespace, directory, checked, entry);
      namespace.putEntry(directory, checked, entry);
      Inode parent = namespace.inode(directory);
      namespace.putInode(Inodes.modified(parent, now));
      return Inodes.inheriting(made, parent);
    }
  }
}
