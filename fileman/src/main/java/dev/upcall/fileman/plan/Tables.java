package dev.upcall.fileman.plan;

import dev.upcall.BatchResult;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import dev.upcall.request.Expect;
import dev.upcall.request.KeyRange;
import dev.upcall.request.TableRequest;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TableEntries;
import dev.upcall.txn.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The entries of tables as one run of a change sees them: those of the view, covered by what the
 * requests of the same batch did before.
 */
final class Tables {
  private static final byte[] ABSENT = {};

  /** So much of a value is told where another one was expected. */
  private static final int TOLD_BYTES = 32;

  private final Namespace namespace;
  private final View view;

  /** Stored forms by keys of the tree, none of which is empty: that is {@link #ABSENT}. */
  private final TreeMap<byte[], byte[]> cover = new TreeMap<>(Arrays::compareUnsigned);

  private final List<BatchResult.Removal> removals = new ArrayList<>();

  Tables(Namespace namespace, View view) {
    this.namespace = namespace;
    this.view = view;
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

  /** What the removals of ranges did, in their order. */
  List<BatchResult.Removal> removals() {
    return removals;
  }

  /** A new table has no entries, and says so. */
  void make(long table) {
    cover.put(TableEntries.countKey(table), TableEntries.storedCount(0));
  }

  /** Changes entries. */
  FileInfo change(TableRequest request) {
    Resolution.Found found = find(namespace, request.path());
    long table = found.id();
    switch (request) {
      case TableRequest.PutEntry put ->
          put(request.path(), table, put.key(), put.expect(), TableEntries.stored(put.value()));
      case TableRequest.RemoveEntry remove ->
          put(request.path(), table, remove.key(), remove.expect(), ABSENT);
      case TableRequest.RemoveRange remove ->
          removals.add(remove(table, remove.range(), remove.limit()));
      case TableRequest.CreateTable _ ->
          throw new IllegalStateException("a table is made with its name");
    }
    return FileInfos.of(request.path().lastName(), namespace.inode(table));
  }

  private void put(StorePath path, long table, byte[] key, Expect expect, byte[] after) {
    byte[] whole = TableEntries.key(table, key);
    byte[] before = stored(whole);
    check(path, key, expect, before);
    boolean was = before != null;
    boolean is = after.length > 0;
    if (was || is) {
      cover.put(whole, after);
    }
    if (was != is) {
      add(table, is ? 1 : -1);
    }
  }

  private BatchResult.Removal remove(long table, KeyRange range, int limit) {
    List<byte[]> keys = first(table, range, limit + 1);
    boolean more = keys.size() > limit;
    List<byte[]> gone = more ? keys.subList(0, limit) : keys;
    for (byte[] key : gone) {
      cover.put(key, ABSENT);
    }
    if (!gone.isEmpty()) {
      add(table, -gone.size());
    }
    return new BatchResult.Removal(gone.size(), more);
  }

  /** The first whole keys of a range, at most so many. */
  private List<byte[]> first(long table, KeyRange range, int most) {
    byte[] from = firstKey(table, range);
    byte[] end = endKey(table, range);
    TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    if (Arrays.compareUnsigned(from, end) >= 0) {
      return List.of();
    }
    for (Map.Entry<byte[], byte[]> own : cover.subMap(from, end).entrySet()) {
      if (own.getValue().length > 0) {
        keys.add(own.getKey());
      }
    }
    View.Scan scan = view.from(StoreTree.ENTRIES, from);
    int seen = 0;
    while (seen < most && scan.next()) {
      byte[] key = scan.key();
      if (Arrays.compareUnsigned(key, end) >= 0) {
        break;
      }
      if (!cover.containsKey(key)) {
        keys.add(key);
        seen++;
      }
    }
    return keys.stream().limit(most).toList();
  }

  /** Where a range begins in the tree. */
  static byte[] firstKey(long table, KeyRange range) {
    // Behind the table's own entry, which is that of the empty key.
    byte[] from = range.from().length == 0 ? new byte[1] : range.from();
    return TableEntries.key(table, from);
  }

  /** What is behind a range in the tree. */
  static byte[] endKey(long table, KeyRange range) {
    return range
        .below()
        .map(below -> TableEntries.key(table, below))
        .orElseGet(() -> TableEntries.endKey(table));
  }

  private byte @Nullable [] stored(byte[] whole) {
    byte[] covered = cover.get(whole);
    byte[] value = covered != null ? covered : view.get(StoreTree.ENTRIES, whole);
    return value == null || value.length == 0 ? null : value;
  }

  private void add(long table, int entries) {
    byte[] key = TableEntries.countKey(table);
    long before = count(stored(key), table);
    cover.put(key, TableEntries.storedCount(before + entries));
  }

  /** How many entries a table has, by the stored form. */
  static long count(byte @Nullable [] stored, long table) {
    if (stored == null) {
      throw new Refused(
          new Failure.Corrupt("namespace", "the number of entries of table " + table, 0, table, 0));
    }
    return TableEntries.count(stored);
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
        byte[] found = before == null ? null : TableEntries.value(before);
        if (!Arrays.equals(found, value)) {
          throw new Refused(
              new Failure.VersionMismatch(
                  entry(path, key), told(value), found == null ? "" : told(found)));
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
    cover.forEach(
        (key, stored) -> {
          if (namespace.inodeIfThere(TableEntries.table(key)) == null) {
            return; // made or deleted by the same batch, which leaves the rest to the store
          }
          if (stored.length == 0) {
            out.remove(StoreTree.ENTRIES, key);
          } else {
            out.put(StoreTree.ENTRIES, key, stored);
          }
        });
  }
}
