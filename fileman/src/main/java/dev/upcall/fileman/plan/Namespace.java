package dev.upcall.fileman.plan;

import dev.upcall.access.SegmentEdits;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.StagedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.txn.ExpiryKeys;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The namespace as one run of a change sees it: the committed view, covered by what the requests of
 * the same batch did before. A file that has expired by the run's time is not there; what is made
 * under its name removes it. {@link #emit} turns the cover into mutations, each tree entry and
 * inode at most once.
 */
public final class Namespace implements NameView {
  /** What a detached directory leaves in the orphan tree; longer values are the store's own. */
  private static final byte[] DETACHED_DIRECTORY = {2};

  private static final byte[] ABSENT = {};

  /** Expired files that a directory may hold and still count as empty. */
  private static final int MAX_EXPIRED = 64;

  private final View view;
  private final long nowNanos;
  private final TreeMap<byte[], byte[]> names = new TreeMap<>(Arrays::compareUnsigned);
  private final TreeMap<Long, Pending> inodes = new TreeMap<>();
  private final Map<Long, byte[]> homes = new TreeMap<>();
  private final Set<Long> named = new TreeSet<>();
  private final TreeMap<Long, Boolean> detached = new TreeMap<>();
  private final TreeMap<byte[], byte @Nullable []> properties =
      new TreeMap<>(Arrays::compareUnsigned);

  /** As a change sees it that brings its time with it. */
  public Namespace(View view, long nowNanos) {
    this.view = view;
    this.nowNanos = nowNanos;
  }

  /** What becomes of an inode: gone when {@code inode} is null. */
  private record Pending(
      @Nullable Inode committed, @Nullable Inode inode, @Nullable NewContent content) {}

  @Override
  public Names.@Nullable Entry entry(long directory, byte[] name) {
    Names.Entry entry = stored(Names.key(directory, name));
    return entry == null || isExpired(entry) ? null : entry;
  }

  private Names.@Nullable Entry stored(byte[] key) {
    byte[] covered = names.get(key);
    byte[] value = covered != null ? covered : view.get(StoreTree.NAMES, key);
    return value == null || value.length == 0 ? null : Names.entry(value);
  }

  private boolean isExpired(Names.Entry entry) {
    return entry.kind().mayExpire() && inode(entry.id()).times().expiresNanos() <= nowNanos;
  }

  @Override
  public @Nullable Inode inodeIfThere(long id) {
    Pending pending = inodes.get(id);
    return pending != null ? pending.inode() : view.inode(id);
  }

  /**
   * Whether a directory has no entries, or only a few that have expired and are waiting to be
   * collected.
   */
  boolean isEmpty(long directory) {
    return expiredIn(directory) != null;
  }

  /** Removes what has expired in a directory that {@link #isEmpty}. */
  void clear(long directory) {
    for (byte[] key : Invariants.present(expiredIn(directory), "what expired in a directory")) {
      remove(key, Invariants.present(stored(key), "an entry that was just seen").id());
    }
  }

  /** The keys of all names in a directory if all of them have expired and are few; else null. */
  private @Nullable List<byte[]> expiredIn(long directory) {
    byte[] first = TreeKeys.of(directory);
    List<byte[]> found = new ArrayList<>();
    for (Map.Entry<byte[], byte[]> covered : names.tailMap(first).entrySet()) {
      if (!Names.isEntryOf(covered.getKey(), directory)) {
        break;
      }
      if (covered.getValue().length > 0
          && !addExpired(found, covered.getKey(), covered.getValue())) {
        return null;
      }
    }
    View.Scan scan = view.from(StoreTree.NAMES, first);
    while (scan.next() && Names.isEntryOf(scan.key(), directory)) {
      if (names.get(scan.key()) == null && !addExpired(found, scan.key(), scan.value())) {
        return null;
      }
    }
    return found;
  }

  private boolean addExpired(List<byte[]> found, byte[] key, byte[] value) {
    if (found.size() == MAX_EXPIRED || !isExpired(Names.entry(value))) {
      return false;
    }
    found.add(key.clone());
    return true;
  }

  /**
   * Collects a file whose time has come.
   *
   * @param key of the name that leads to it
   */
  public void collect(byte[] key, long id) {
    Names.Entry entry = stored(key);
    if (entry == null || entry.id() != id || !isExpired(entry)) {
      throw new Refused(
          new Failure.Corrupt("namespace", "the expiry of file " + id + " is wrong", 0, id, 0));
    }
    remove(key, id);
  }

  private void remove(byte[] key, long id) {
    names.put(key, ABSENT);
    removeInode(id);
  }

  /** Where a file has its name: needed before its expiry is changed. */
  void located(Resolution.Found file) {
    homes.putIfAbsent(file.id(), Names.key(file.directory(), PutCheck.checkedName(file.name())));
  }

  /** Whether nothing was done yet to any name or inode. */
  boolean isAsCommitted() {
    return names.isEmpty() && inodes.isEmpty();
  }

  /** Makes or redirects a name. */
  void putEntry(long directory, byte[] name, Names.Entry entry) {
    byte[] key = Names.key(directory, name);
    Names.Entry before = stored(key);
    if (before != null && isExpired(before)) {
      removeInode(before.id());
    }
    names.put(key, Names.value(entry));
    homes.put(entry.id(), key);
    named.add(entry.id());
  }

  /** Removes a name. */
  public void removeEntry(long directory, byte[] name) {
    names.put(Names.key(directory, name), ABSENT);
  }

  /** Makes an inode or replaces its metadata; what becomes of it, with its new version. */
  Inode putInode(Inode inode) {
    Pending before = inodes.get(inode.id());
    return put(inode, before == null ? null : before.content());
  }

  /** Makes an inode or replaces it, content included. */
  Inode putInode(Inode inode, StagedContent content) {
    return put(inode, new NewContent.Brought(content));
  }

  /** Edits the content of a file. */
  Inode putEdit(Inode inode, SegmentEdits.Edit edit, String path) {
    Pending before = inodes.get(inode.id());
    return put(
        inode,
        switch (before == null ? null : before.content()) {
          case null -> new NewContent.Edited(path, List.of(edit));
          case NewContent.Edited edited -> edited.and(edit);
          case NewContent.Brought _, NewContent.Of _ ->
              throw new Refused(
                  new Failure.Invalid(
                      path + ": a batch that brings a file's content cannot edit it, too"));
        });
  }

  /** Whether the batch has given a file other content than it had. */
  boolean hasNewContent(long id) {
    Pending pending = inodes.get(id);
    return pending != null && pending.content() != null;
  }

  /** Makes an inode or replaces it, with the content that another has by now. */
  Inode putClone(Inode inode, long source) {
    Pending from = inodes.get(source);
    NewContent now = from == null ? null : from.content();
    if (now instanceof NewContent.Edited) {
      throw clonedAndEdited();
    }
    NewContent content = now == null ? new NewContent.Of(source) : now;
    // A clone of its clone has what it had.
    return put(inode, content.equals(new NewContent.Of(inode.id())) ? null : content);
  }

  /** Removes an inode to which no name leads any more. */
  public void removeInode(long id) {
    inodes.put(id, new Pending(committed(id), null, null));
  }

  /** Leaves a directory that no name leads to any more, but has entries, to the reclaimer. */
  void detach(long directory) {
    detached.put(directory, true);
  }

  /** Sets a property, or removes it. */
  void property(byte[] name, byte @Nullable [] value) {
    properties.put(name, value);
  }

  private static Refused clonedAndEdited() {
    return new Refused(
        new Failure.Invalid("a file cannot be cloned and edited in one batch; use two"));
  }

  /** Says everything that was done; nothing was edited. */
  public void emit(Mutations out) {
    emit(out, edited -> Invariants.check(edited.isEmpty(), "edits that nobody does", edited));
  }

  /**
   * Says everything that was done.
   *
   * @param edits says what becomes of files that are edited
   */
  void emit(Mutations out, Consumer<List<SegmentEdits.Edited>> edits) {
    names.forEach(
        (key, value) -> {
          if (value.length == 0) {
            out.remove(StoreTree.NAMES, key);
          } else {
            out.put(StoreTree.NAMES, key, value);
          }
        });
    ContentEmitter content = clones();
    // Before anything is given up that a range may be a part of.
    edits.accept(edited());
    emitInodes(content, out);
    detached
        .keySet()
        .forEach(id -> out.put(StoreTree.ORPHANS, TreeKeys.of(id), DETACHED_DIRECTORY.clone()));
    properties.forEach(
        (name, value) -> {
          if (value == null) {
            out.remove(StoreTree.PROPERTIES, name);
          } else {
            out.put(StoreTree.PROPERTIES, name, value);
          }
        });
  }

  /** Whether an entry of the orphan tree is a detached directory. */
  public static boolean isDetachedDirectory(byte[] orphan) {
    return Arrays.equals(orphan, DETACHED_DIRECTORY);
  }

  /** The files that are clones of what was there before. */
  private ContentEmitter clones() {
    ContentEmitter content = new ContentEmitter();
    for (Pending pending : inodes.values()) {
      if (pending.inode() != null && pending.content() instanceof NewContent.Of(long source)) {
        Pending from = inodes.get(source);
        if (from != null && from.content() instanceof NewContent.Edited) {
          throw clonedAndEdited();
        }
        content.cloneOf(pending.inode(), source);
      }
    }
    return content;
  }

  private void emitInodes(ContentEmitter content, Mutations out) {
    content.emitClones(out);
    inodes.forEach(
        (id, pending) -> {
          emit(pending, content, out);
          emitExpiry(id, pending, out);
        });
  }

  private static void emit(Pending pending, ContentEmitter content, Mutations out) {
    Inode inode = pending.inode();
    if (inode == null) {
      // Made and removed by the same batch: the store never hears of it.
      if (pending.committed() != null) {
        out.removeSegment(pending.committed());
      }
      return;
    }
    switch (pending.content()) {
      case null -> out.putInode(inode);
      case NewContent.Brought(StagedContent staged) -> content.brought(inode, staged, out);
      case NewContent.Of _, NewContent.Edited _ -> {
        // Said with all others of its kind.
      }
    }
  }

  private List<SegmentEdits.Edited> edited() {
    List<SegmentEdits.Edited> edited = new ArrayList<>();
    for (Pending pending : inodes.values()) {
      Inode inode = pending.inode();
      if (inode != null && pending.content() instanceof NewContent.Edited(var path, var edits)) {
        edited.add(new SegmentEdits.Edited(inode, path, edits));
      }
    }
    return edited;
  }

  /** Keeps the tree of expiries in step with an inode. */
  private void emitExpiry(long id, Pending pending, Mutations out) {
    byte[] before = expiryKey(pending.committed());
    byte[] after = expiryKey(pending.inode());
    boolean same = Arrays.equals(before, after);
    if (before != null && !same) {
      out.remove(StoreTree.EXPIRY, before);
    }
    if (after != null && (!same || named.contains(id))) {
      out.put(StoreTree.EXPIRY, after, Invariants.present(homes.get(id), "the name of a file"));
    }
  }

  private static byte @Nullable [] expiryKey(@Nullable Inode inode) {
    return inode == null || !inode.times().hasExpiry()
        ? null
        : ExpiryKeys.of(inode.times().expiresNanos(), inode.id());
  }

  private Inode put(Inode inode, @Nullable NewContent content) {
    Inode committed = committed(inode.id());
    long version = committed == null ? 1 : committed.version() + 1;
    Inode versioned = inode.withVersion(version);
    Invariants.check(
        committed == null || committed.kind() == inode.kind(), "kind of a segment", inode.id());
    inodes.put(inode.id(), new Pending(committed, versioned, content));
    return versioned;
  }

  private @Nullable Inode committed(long id) {
    Pending pending = inodes.get(id);
    return pending != null ? pending.committed() : view.inode(id);
  }
}
