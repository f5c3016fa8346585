package dev.upcall.fileman.plan;

import dev.upcall.BatchResult;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.access.TableEdits;
import dev.upcall.access.TableView;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import dev.upcall.fsm.Faults;
import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.KeyRange;
import dev.upcall.request.TableRequest;
import dev.upcall.tree.PageMissing;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plans changes of the entries of tables. */
final class Tables {
  /** So much of a value is told where another one was expected. */
  private static final int TOLD_BYTES = 32;

  private final Namespace namespace;
  private final TableEdits edits;
  private final List<BatchResult.Removal> removals = new ArrayList<>();

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
    long table = find(namespace, path).id();
    if (!edits.isCounted(table)) {
      throw uncounted(table);
    }
    switch (request) {
      case TableRequest.PutEntry put -> {
        check(path, put.key(), put.expect(), edits.value(table, put.key()));
        edits.put(table, put.key(), put.value());
      }
      case TableRequest.RemoveEntry remove -> {
        check(path, remove.key(), remove.expect(), edits.value(table, remove.key()));
        edits.remove(table, remove.key());
      }
      case TableRequest.RemoveRange remove -> {
        int limit = remove.limit();
        int found = edits.remove(table, range(remove.range()), limit);
        removals.add(new BatchResult.Removal(Math.min(found, limit), found > limit));
      }
      case TableRequest.CreateTable _ ->
          throw new IllegalStateException("a table is made with its name");
    }
    return FileInfos.of(path.lastName(), namespace.inode(table));
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
          case TableRequest.PutEntry put ->
              edits.value(find(namespace, put.path()).id(), put.key());
          case TableRequest.RemoveEntry remove ->
              edits.value(find(namespace, remove.path()).id(), remove.key());
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

  /** Keys as the access method has them. */
  static TableView.Range range(KeyRange range) {
    return new TableView.Range(range.from(), range.below().orElse(null));
  }

  /** A table that does not say how many entries it has. */
  static Refused uncounted(long table) {
    return new Refused(
        new Failure.Corrupt("namespace", "the number of entries of table " + table, 0, table, 0));
  }

  private static void check(StorePath path, byte[] key, Expect expect, byte @Nullable [] before) {
    switch (expect) {
      case Expect.Any _ -> {}
      case Expect.Absent _ -> {
        if (before != null) {
          throw new Refused(new Failure.AlreadyExists(entry(path, key)));
        }
      }
      case Expect.Present _ -> {
        if (before == null) {
          throw new Refused(new Failure.NotFound(entry(path, key)));
        }
      }
      case Expect.Value(byte[] value) -> {
        if (!Arrays.equals(before, value)) {
          throw new Refused(
              new Failure.VersionMismatch(
                  entry(path, key), told(value), before == null ? "" : told(before)));
        }
      }
    }
  }

  private static String entry(StorePath path, byte[] key) {
    return "entry " + told(key) + " of " + path;
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
