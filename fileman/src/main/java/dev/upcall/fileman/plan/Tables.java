package dev.upcall.fileman.plan;

import dev.upcall.BatchResult;
import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.access.TableEdits;
import dev.upcall.access.TableView;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.content.Kind;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.Faults;
import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.KeyRange;
import dev.upcall.request.TableRequest;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.tree.PageMissing;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.TableEntries;
import dev.upcall.txn.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Plans changes of the entries of tables. */
final class Tables {
  /** So much of a value is told where another one was expected. */
  private static final int TOLD_BYTES = 32;

  private final Namespace namespace;
  private final TableEdits edits;
  private final List<BatchResult.Removal> removals = new ArrayList<>();

  /** Where the last table was found: most batches are of one. */
  private @Nullable Place last;

  private record Place(StorePath path, FileInfo table) {}

  Tables(Namespace namespace, View view) {
    this.namespace = namespace;
    this.edits = new TableEdits(view, Faults.NONE);
  }

  /** The table that a path leads to. */
  static Resolution.Found find(NameView names, StorePath path) {
    Resolution.Found found = Resolver.find(names, path, LinkPolicy.FOLLOW);
    switch (found.kind()) {
      case TABLE -> {
        return found;
      }
      case DIRECTORY -> throw new Refused(new Failure.IsADirectory(path.toString()));
      case FILE, SYMBOLIC_LINK -> throw new Refused(new Failure.Invalid(path + " is no table"));
    }
    throw new IllegalStateException("a kind of segment that is none");
  }

  /** Refuses what has no content. */
  static void checkContent(Kind kind, StorePath path) {
    Failure failure = Looks.noContent(kind, path.toString());
    if (failure != null) {
      throw new Refused(failure);
    }
  }

  /**
   * The content of a value, whose path says so; one that stands in the tree is inside its inode.
   */
  static Looks.Seen see(View view, StorePath path) {
    Resolution.Found table = find(new CommittedNames(view), path.parent());
    Inode inode =
        switch (new TableView(view, table.id()).value(path.key())) {
          case null -> throw new Refused(new Failure.NotFound(path.toString()));
          case TableEntries.Value.Inline(byte[] bytes) ->
              Inodes.create(table.id(), Kind.FILE, table.id(), FileRequest.DEFAULT_FILE_MODE, 0)
                  .withContent(bytes.length, new Layout.Inline(bytes));
          case TableEntries.Value.Content(long segment, long sizeBytes) -> {
            Inode content = view.inode(segment);
            if (content == null || content.size() != sizeBytes) {
              throw new Refused(
                  new Failure.Corrupt("namespace", "the content of " + path, 0, segment, 0));
            }
            yield content;
          }
        };
    return new Looks.Seen(FileInfos.of(path.lastName(), inode), inode, table.led());
  }

  /**
   * Refuses a put of a value that will be refused; gives what is said of its content, which is
   * never shared.
   */
  static Looks.ContentChoice checkPut(View view, StorePath path, PutOptions options) {
    CommittedNames names = new CommittedNames(view);
    long table = find(names, path.parent()).id();
    check(path, options, () -> new TableView(view, table).value(path.key()));
    return new Looks.ContentChoice(
        Optional.of(Dedup.NONE), Compression.of(names.inode(table).attributes()));
  }

  /** A value that is given as bytes; one that is content has to be read. */
  static byte[] bytes(StorePath table, byte[] key, TableEntries.Value value) {
    return switch (value) {
      case TableEntries.Value.Inline(byte[] bytes) -> bytes;
      case TableEntries.Value.Content content ->
          throw new Refused(
              new Failure.TooLarge(
                  table.entry(key) + ", which is read by that path,",
                  content.sizeBytes(),
                  TableRequest.MAX_VALUE_BYTES));
    };
  }

  /** The outcomes of the removals of ranges, in their order. */
  List<BatchResult.Removal> removals() {
    return removals;
  }

  /** A new table has no entries. */
  void make(long table) {
    edits.make(table);
  }

  /** Changes entries. */
  FileInfo change(TableRequest request) {
    StorePath path = request.path();
    FileInfo info = counted(path);
    long table = info.id();
    switch (request) {
      case TableRequest.PutEntry put -> {
        TableEdits.Entry entry = edits.at(table, put.key());
        check(path, put.key(), put.expect(), entry::value);
        entry.put(put.value());
      }
      case TableRequest.RemoveEntry remove -> {
        TableEdits.Entry entry = edits.at(table, remove.key());
        check(path, remove.key(), remove.expect(), entry::value);
        entry.remove();
      }
      case TableRequest.RemoveRange remove -> {
        int limit = remove.limit();
        int found = edits.remove(table, range(remove.range()), limit);
        removals.add(new BatchResult.Removal(Math.min(found, limit), found > limit));
      }
      case TableRequest.CreateTable _ ->
          throw new IllegalStateException("a table is made with its name");
    }
    return info;
  }

  /**
   * A page that a request lacks, and all others that the puts and removals of entries right behind
   * it lack. They are read side by side: a batch is as many reads in a row as the tree has levels,
   * and not one for each entry.
   */
  PageMissing missing(PageMissing first, List<FileRequest> next) {
    PageMissing all = first;
    for (FileRequest request : next) {
      try {
        switch (request) {
          case TableRequest.PutEntry put -> edits.at(find(namespace, put.path()).id(), put.key());
          case TableRequest.RemoveEntry remove ->
              edits.at(find(namespace, remove.path()).id(), remove.key());
          case FileRequest.Put put when put.path().isEntry() ->
              edits.at(find(namespace, put.path().parent()).id(), put.path().key());
          default -> {
            return all;
          }
        }
      } catch (PageMissing missing) {
        all = all.with(missing);
      } catch (Refused notYet) {
        return all; // it may find what a request before it has still to make
      }
    }
    return all;
  }

  /** Puts content under a key. */
  FileInfo put(FileRequest.Put put, StagedContent content, long segment, long now) {
    StorePath path = put.path();
    long table = counted(path.parent()).id();
    TableEdits.Entry entry = edits.at(table, path.key());
    check(path, put.options(), entry::value);
    Inode inode =
        Inodes.create(segment, Kind.FILE, table, FileRequest.DEFAULT_FILE_MODE, now)
            .withLinks(0)
            .withContent(content.sizeBytes(), Layout.EMPTY);
    entry.put(inode, content);
    return FileInfos.of(path.lastName(), inode);
  }

  private FileInfo counted(StorePath path) {
    Place known = last;
    if (known != null && namespace.isAsCommitted() && known.path.equals(path)) {
      return known.table;
    }
    long table = find(namespace, path).id();
    if (!edits.isCounted(table)) {
      throw uncounted(table);
    }
    FileInfo info = FileInfos.of(path.lastName(), namespace.inode(table));
    last = new Place(path, info);
    return info;
  }

  /** Keys as the access method has them. */
  static TableView.Range range(KeyRange range) {
    return new TableView.Range(range.from(), range.below().orElse(null));
  }

  /** A table that does not say how many entries it has. */
  static Refused uncounted(long table) {
    return new Refused(
        new Failure.Corrupt("namespace", "the number of entries of table " + table, 0, table, 0));
  }

  private static void check(
      StorePath path, PutOptions options, Supplier<TableEntries.@Nullable Value> before) {
    FileCondition condition = options.condition();
    if (!options.metadata().equals(MetadataChange.NONE)
        || !condition.equals(FileCondition.of(condition.existence()))) {
      throw new Refused(
          new Failure.Invalid(
              path + " has no metadata and no version: a put says only whether it is there"));
    }
    switch (condition.existence()) {
      case ANY -> {}
      case MUST_NOT_EXIST -> check(path.parent(), path.key(), Expect.ABSENT, before);
      case MUST_EXIST -> check(path.parent(), path.key(), Expect.PRESENT, before);
    }
  }

  private static void check(
      StorePath path, byte[] key, Expect expect, Supplier<TableEntries.@Nullable Value> found) {
    switch (expect) {
      case Expect.Any _ -> {}
      case Expect.Absent _ -> {
        if (found.get() != null) {
          throw new Refused(new Failure.AlreadyExists(entry(path, key)));
        }
      }
      case Expect.Present _ -> {
        if (found.get() == null) {
          throw new Refused(new Failure.NotFound(entry(path, key)));
        }
      }
      case Expect.Value(byte[] value) -> {
        TableEntries.Value before = found.get();
        if (before instanceof TableEntries.Value.Content content
            && content.sizeBytes() == value.length) {
          throw new Refused(
              new Failure.Invalid(
                  entry(path, key) + " is content, which is not compared with an expected value"));
        }
        if (!(before instanceof TableEntries.Value.Inline(byte[] bytes))
            || !Arrays.equals(bytes, value)) {
          throw new Refused(
              new Failure.VersionMismatch(entry(path, key), told(value), told(before)));
        }
      }
    }
  }

  private static String entry(StorePath path, byte[] key) {
    return "entry " + told(key) + " of " + path;
  }

  private static String told(TableEntries.@Nullable Value value) {
    return switch (value) {
      case null -> "";
      case TableEntries.Value.Inline(byte[] bytes) -> told(bytes);
      case TableEntries.Value.Content content -> "content of " + content.sizeBytes() + " bytes";
    };
  }

  private static String told(byte[] bytes) {
    String hex = HexFormat.of().formatHex(bytes, 0, Math.min(TOLD_BYTES, bytes.length));
    return "0x" + (bytes.length <= TOLD_BYTES ? hex : hex + "... of " + bytes.length + " bytes");
  }

  /** Says everything that was done to tables that are still there. */
  void emit(Mutations out) {
    edits.emit(out, table -> namespace.inodeIfThere(table) != null);
  }
}
