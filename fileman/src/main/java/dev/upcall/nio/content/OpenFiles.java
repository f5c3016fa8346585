package dev.upcall.nio.content;

import dev.upcall.Existence;
import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.request.FileRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Files that are open in a file system. One that is deleted or replaced while channels have it open
 * lives on for them, as POSIX wants it: it moves to a hidden directory, in the same commit, and
 * goes with its last channel, or when the store is next mounted.
 */
public final class OpenFiles {
  private static final StorePath HIDDEN = StorePath.UNLINKED;
  private static final String NAME = HIDDEN.lastName();

  private static final int PAGE_NAMES = 512;

  /** Somebody else who writes the file through another door may come between again and again. */
  private static final int ATTEMPTS = 64;

  /** Guards the map, and who holds what is in it; nobody waits with it. */
  private final ReentrantLock registry = new ReentrantLock();

  private final Map<Long, OpenFile> byId = new LinkedHashMap<>();
  private final Changes changes;

  /** None. */
  public OpenFiles(Changes changes) {
    this.changes = changes;
  }

  /** Whether a path leads to files that have lost their names, for nobody to see. */
  public static boolean isHidden(StorePath place) {
    List<String> names = place.names();
    return HIDDEN.contains(place) || names.contains(NAME) && mayReachRoot(place);
  }

  /** Whether the root may come behind the first name. */
  private static boolean mayReachRoot(StorePath place) {
    return place.names().contains("..")
        || place.directoryId() == FileManager.ROOT_ID && place.names().contains(".");
  }

  /** Whether an entry of the root is hidden. */
  public static boolean isHiddenName(String name) {
    return NAME.equals(name);
  }

  /**
   * Takes away what channels of a process that ended left behind, or of this one. What somebody
   * else has put there, as older versions allowed, stays.
   */
  public void sweep() {
    try {
      if (changes.store().stat(HIDDEN, LinkPolicy.NO_FOLLOW).isDirectory()) {
        Listing.Range range = new Listing.Range(Listing.Direction.ASCENDING, PAGE_NAMES);
        Listing.Names page = changes.store().names(HIDDEN, range);
        page.names().forEach(this::deleteLeft);
        while (page.hasMore()) {
          page = changes.store().names(HIDDEN, range.withBeyond(page.names().getLast()));
          page.names().forEach(this::deleteLeft);
        }
        changes.commit(List.of(new FileRequest.Delete(HIDDEN, FileCondition.NONE.ofDirectory())));
      }
    } catch (UpcallException failed) {
      checkMayStay(failed);
    }
  }

  private void deleteLeft(String name) {
    StorePath place = HIDDEN.child(name);
    FileInfo there = changes.store().stat(place, LinkPolicy.NO_FOLLOW);
    if (there.isFile() && place.equals(hidden(there.id()))) {
      changes.commit(List.of(new FileRequest.Delete(place)));
    }
  }

  /** A store that takes no changes keeps what is hidden until it is next mounted. */
  private static void checkMayStay(UpcallException failed) {
    switch (failed.failure()) {
      case Failure.NotFound _,
          Failure.DirectoryNotEmpty _,
          Failure.Closed _,
          Failure.VolumeFull _,
          Failure.ReadOnly _ -> {}
      default -> throw failed;
    }
  }

  /**
   * One more channel has a file open.
   *
   * @param exists asked with the file's lock held: throws when it is gone by now
   */
  public OpenFile open(long id, Runnable exists) {
    OpenFile file = hold(id);
    boolean opened = false;
    file.lock.lock();
    try {
      exists.run();
      file.channels++;
      opened = true;
    } finally {
      file.lock.unlock();
      if (!opened) {
        letGo(file);
      }
    }
    return file;
  }

  /** A channel is closed: what was written is committed, and what only it kept goes. */
  public void close(OpenFile file) {
    file.lock.lock();
    try {
      file.channels--;
      boolean goes = file.channels == 0 && file.unlinked;
      file.closing(goes);
      if (goes) {
        delete(file);
      }
    } finally {
      file.lock.unlock();
      letGo(file);
    }
  }

  private void delete(OpenFile file) {
    try {
      changes.commit(List.of(new FileRequest.Delete(hidden(file.id()))));
    } catch (UpcallException failed) {
      checkMayStay(failed);
    }
  }

  /** What is tried; may throw {@link UpcallException} besides. */
  public interface Attempt<T, X extends Exception> {
    T run() throws X;
  }

  /**
   * Tries again for as long as somebody else changes what is under a name between a look at it and
   * the change that the look decided, so that never anything else is taken away.
   */
  public static <T, X extends Exception> T untilUndisturbed(Attempt<T, X> attempt) throws X {
    for (int left = ATTEMPTS; ; left--) {
      try {
        return attempt.run();
      } catch (UpcallException failed) {
        boolean disturbed =
            failed.failure() instanceof Failure.VersionMismatch
                || failed.failure() instanceof Failure.AlreadyExists;
        if (!disturbed || left == 0) {
          throw failed;
        }
      }
    }
  }

  /**
   * Runs a change by which something loses its name. Fails with {@code VersionMismatch}, or {@code
   * NotADirectory}, when something else is under the name by now: see {@link #untilUndisturbed}.
   *
   * @param there what is under the name
   * @param change is given what takes the name away, to be committed first
   */
  public void unlink(StorePath place, FileInfo there, Consumer<List<FileRequest>> change) {
    if (there.isDirectory()) {
      // Its version changes with each entry; whichever is there, only an empty one goes.
      change.accept(List.of(new FileRequest.Delete(place, FileCondition.NONE.ofDirectory())));
      return;
    }
    if (there.isSymbolicLink()) {
      change.accept(List.of(new FileRequest.Delete(place, still(there))));
      return;
    }
    OpenFile file = hold(there.id());
    file.lock.lock();
    try {
      if (file.channels == 0 || file.unlinked) {
        change.accept(List.of(new FileRequest.Delete(place, still(there))));
      } else {
        // Those that have it open may have written since it was looked at; now they wait.
        FileInfo now = changes.store().stat(place, LinkPolicy.NO_FOLLOW);
        FileCondition same = still(now.id() == there.id() ? now : there);
        change.accept(
            List.of(
                new FileRequest.SetMetadata(place, LinkPolicy.NO_FOLLOW, MetadataChange.NONE, same),
                new FileRequest.Rename(place, hidden(there.id()), Existence.MUST_NOT_EXIST)));
        file.unlinked = true;
      }
    } finally {
      file.lock.unlock();
      letGo(file);
    }
  }

  private static FileCondition still(FileInfo there) {
    return FileCondition.only(there.fileVersion());
  }

  private static StorePath hidden(long id) {
    return HIDDEN.child(Long.toHexString(id));
  }

  private OpenFile hold(long id) {
    registry.lock();
    try {
      OpenFile file = byId.computeIfAbsent(id, OpenFile::new);
      file.holders++;
      return file;
    } finally {
      registry.unlock();
    }
  }

  private void letGo(OpenFile file) {
    registry.lock();
    try {
      file.holders--;
      if (file.holders == 0) {
        byId.remove(file.id(), file);
      }
    } finally {
      registry.unlock();
    }
  }

  /** Does something with a file, open or not, that its writers and openers must not disturb. */
  <T> T with(long id, Function<OpenFile, T> action) {
    OpenFile file = hold(id);
    file.lock.lock();
    try {
      return action.apply(file);
    } finally {
      file.lock.unlock();
      letGo(file);
    }
  }
}
