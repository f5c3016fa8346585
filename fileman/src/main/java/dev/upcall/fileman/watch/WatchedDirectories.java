package dev.upcall.fileman.watch;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.Kind;
import dev.upcall.fileman.plan.Names;
import dev.upcall.nio.watch.EntrySink;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.txn.ChangeObserver;
import dev.upcall.txn.EntryChange;
import dev.upcall.txn.Query;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The directories of a store that somebody watches. While there are none the store tells nothing.
 *
 * <p>Names tell what comes and goes. An inode does not say which name leads to it, so for changes
 * of files it is kept what lies in a directory whose files are watched ({@link Home}): listed page
 * by page when somebody begins to watch, and again to forget it. A page becomes known in the upcall
 * that looked at it, so that no change comes in between.
 */
public final class WatchedDirectories implements ChangeObserver {
  /** So many are kept, about 150 bytes each; of changes of others only that there were some. */
  private static final int MAX_HOMES = 1 << 18;

  /** Entries that one upcall lists. */
  private static final int PAGE = 128;

  private final Store store;
  private final int maxHomes;
  private final Map<Long, WatchedDirectory> directories = new LinkedHashMap<>();
  private final Map<Long, Home> homes = new LinkedHashMap<>();
  private int partlyKnown;

  /** Where something lies. */
  private record Home(WatchedDirectory directory, String name) {}

  /** Some entries of a directory: ids to names, and the last key, or null behind the end. */
  private record Page(Map<Long, String> entries, byte @Nullable [] last) {}

  /** Of a store. */
  public WatchedDirectories(Store store) {
    this(store, MAX_HOMES);
  }

  /** With another limit of homes. */
  public WatchedDirectories(Store store, int maxHomes) {
    this.store = store;
    this.maxHomes = maxHomes;
  }

  // ------------------------------------------------------------------ who watches

  /**
   * As {@link dev.upcall.nio.watch.Directories#watch}. The dispatcher's thread.
   *
   * @param port completed when every change that is applied from then on is told
   */
  public void watch(long id, boolean modifications, EntrySink sink, CompletionPort<Unit> port) {
    store.query(
        isDirectory(id),
        port.then(
            _ -> {
              WatchedDirectory directory = watched(id);
              directory.add(sink, modifications);
              if (modifications) {
                list(directory, TreeKeys.of(id), /* keeps= */ true, port);
              } else {
                store.dispatcher().complete(port, Completion.done());
              }
            }));
  }

  private static Query<Unit> isDirectory(long id) {
    return view -> {
      Inode inode = view.inode(id);
      return inode == null || inode.kind() != Kind.DIRECTORY || inode.links() == 0
          ? Completion.failed(new Failure.NotFound("directory " + id))
          : Completion.done();
    };
  }

  private WatchedDirectory watched(long id) {
    if (directories.isEmpty()) {
      store.observe(this);
    }
    return directories.computeIfAbsent(id, WatchedDirectory::new);
  }

  /** As {@link #forget}, soon. Any thread. */
  public void forgetSoon(long id, EntrySink sink) {
    // A dispatcher that has ended has told all that they are gone.
    store.dispatcher().offer(() -> forget(id, sink));
  }

  /** A sink hears nothing more; harmless where it does not. The dispatcher's thread. */
  public void forget(long id, EntrySink sink) {
    WatchedDirectory directory = directories.get(id);
    if (directory == null || !directory.has(sink)) {
      return;
    }
    boolean had = directory.hasHomes();
    changing(directory, () -> directory.remove(sink));
    hasLeft(directory, had);
  }

  /** Somebody has left: what lies in it need not be known any more, unless others watch that. */
  private void hasLeft(WatchedDirectory directory, boolean hadHomes) {
    if (!hadHomes) {
      end(directory);
    } else if (!directory.hasHomes()) {
      list(directory, TreeKeys.of(directory.id()), /* keeps= */ false, _ -> end(directory));
    }
  }

  private void end(WatchedDirectory directory) {
    if (directory.isWatched() || !directories.remove(directory.id(), directory)) {
      return;
    }
    if (directories.isEmpty()) {
      store.forget(this);
      homes.clear(); // of a store that closes nothing was listed
    }
  }

  /** All are gone with the store. */
  public void close() {
    for (WatchedDirectory directory : List.copyOf(directories.values())) {
      directory.tell(EntrySink::gone);
    }
    directories.clear();
    homes.clear();
  }

  // ------------------------------------------------------------------ what lies where

  /** Goes on with a list of what is in a directory, which is made known or forgotten. */
  private void list(
      WatchedDirectory directory, byte[] from, boolean keeps, CompletionPort<Unit> port) {
    store.query(
        view -> page(view, directory.id(), from),
        port.then(
            page -> {
              if (keeps != directory.hasHomes()) {
                // Who wanted this has left, or somebody has come meanwhile who wants the contrary.
                store.dispatcher().complete(port, Completion.done());
                return;
              }
              page.entries().forEach((id, name) -> entry(directory, id, name, keeps));
              if (page.last() == null) {
                store.dispatcher().complete(port, Completion.done());
              } else {
                list(directory, page.last(), keeps, port);
              }
            }));
  }

  private static Completion<Page> page(View view, long directory, byte[] from) {
    Map<Long, String> entries = new LinkedHashMap<>();
    byte[] last = from;
    View.Scan scan = view.from(StoreTree.NAMES, from);
    while (entries.size() < PAGE) {
      if (!scan.next() || !Names.isEntryOf(scan.key(), directory)) {
        return Completion.done(new Page(entries, null));
      }
      last = scan.key().clone();
      entries.put(Names.entry(scan.value()).id(), name(last));
    }
    // The entry itself comes again: no key lies between it and the next.
    return Completion.done(new Page(entries, last));
  }

  private void entry(WatchedDirectory directory, long id, String name, boolean keeps) {
    if (keeps) {
      keep(directory, id, name);
    } else {
      leave(directory, id, name);
    }
  }

  private void keep(WatchedDirectory directory, long id, String name) {
    if (homes.size() < maxHomes || homes.containsKey(id)) {
      homes.put(id, new Home(directory, name));
    } else {
      changing(directory, directory::homeIsMissing);
    }
  }

  private void leave(WatchedDirectory directory, long id, String name) {
    Home home = homes.get(id);
    if (home != null && home.directory() == directory && home.name().equals(name)) {
      homes.remove(id);
    }
  }

  /** Counts the directories that are known in part. */
  private void changing(WatchedDirectory directory, Runnable change) {
    boolean was = directory.isPartly();
    change.run();
    boolean is = directory.isPartly();
    partlyKnown += is == was ? 0 : is ? 1 : -1;
  }

  // ------------------------------------------------------------------ what changes

  @Override
  public void applied(long scn, List<EntryChange> entries) {
    // What goes comes first: a file that is renamed has its old home no more, and then its new one.
    for (EntryChange entry : entries) {
      if (entry.tree() == StoreTree.NAMES) {
        left(entry, scn);
      }
    }
    Set<Long> named = new LinkedHashSet<>();
    List<EntryChange> inodes = new ArrayList<>();
    for (EntryChange entry : entries) {
      if (entry.tree() == StoreTree.NAMES) {
        came(entry, scn, named);
      } else {
        inodes.add(entry);
      }
    }
    for (EntryChange inode : inodes) {
      long id = TreeKeys.id(inode.key());
      if (!named.contains(id)) {
        changed(id, scn, inode);
      }
      WatchedDirectory directory = directories.get(id);
      if (directory != null) {
        checkThere(directory, inode);
      }
    }
  }

  private static boolean isSame(EntryChange entry) {
    byte[] before = entry.before();
    byte[] after = entry.after();
    return before != null && after != null && Names.entry(before).id() == Names.entry(after).id();
  }

  private void left(EntryChange entry, long scn) {
    WatchedDirectory directory = directories.get(TreeKeys.id(entry.key()));
    if (directory == null || entry.before() == null || isSame(entry)) {
      return;
    }
    String name = name(entry.key());
    leave(directory, Names.entry(entry.before()).id(), name);
    if (entry.after() == null) {
      directory.tell(sink -> sink.deleted(name, scn));
    }
  }

  private void came(EntryChange entry, long scn, Set<Long> named) {
    if (entry.after() == null || isSame(entry)) {
      return;
    }
    long id = Names.entry(entry.after()).id();
    named.add(id);
    WatchedDirectory directory = directories.get(TreeKeys.id(entry.key()));
    if (directory != null) {
      String name = name(entry.key());
      if (directory.hasHomes()) {
        keep(directory, id, name);
      }
      directory.tell(sink -> sink.created(name, scn));
    }
  }

  private void changed(long id, long scn, EntryChange inode) {
    byte[] before = inode.before();
    byte[] after = inode.after();
    Home home = homes.get(id);
    if (before == null || after == null || home == null && partlyKnown == 0) {
      return;
    }
    if (!isSeen(InodeCodec.decode(id, before), InodeCodec.decode(id, after))) {
      return;
    }
    if (home != null) {
      home.directory().tell(sink -> sink.modified(home.name(), scn));
    } else {
      directories.values().stream()
          .filter(WatchedDirectory::isPartly)
          .forEach(directory -> directory.tell(sink -> sink.overflowed(scn)));
    }
  }

  /** Whether users see it: not where content lies, nor that a directory's entries changed. */
  private static boolean isSeen(Inode before, Inode after) {
    if (before.version() == after.version()) {
      return false;
    }
    return after.kind() != Kind.DIRECTORY
        || before.mode() != after.mode()
        || before.owner() != after.owner()
        || after.times().modifiedNanos() != after.times().changedNanos()
        || !before.attributes().keySet().equals(after.attributes().keySet())
        || before.attributes().entrySet().stream()
            .anyMatch(
                each -> !Arrays.equals(each.getValue(), after.attributes().get(each.getKey())));
  }

  /** Whether a watched directory is still there: not removed, nor left to the reclaimer. */
  private void checkThere(WatchedDirectory directory, EntryChange inode) {
    byte[] after = inode.after();
    if (after != null && InodeCodec.decode(directory.id(), after).links() > 0) {
      return;
    }
    boolean had = directory.hasHomes();
    directory.tell(EntrySink::gone);
    changing(directory, directory::clear);
    store.dispatcher().offer(() -> hasLeft(directory, had)); // not now: a change is being applied
  }

  private static String name(byte[] key) {
    return new String(Names.nameBytesIn(key), StandardCharsets.UTF_8);
  }
}
