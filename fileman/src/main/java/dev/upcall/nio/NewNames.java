package dev.upcall.nio;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.nio.collected.FilesById;
import dev.upcall.nio.collected.Making;
import dev.upcall.nio.collected.PendingWrites;
import dev.upcall.store.Durability;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * Files that programs have made in a file system and that are not committed yet: found by their
 * directory's id and their name, on whatever way a path leads there. All else that is looked at or
 * changed has them committed first. Any threads.
 */
final class NewNames implements Mount.Contents {
  private final FilesById files;
  private final OpenFiles open;
  private final LiveContent.Forcing forcing;
  private final Lock alone;

  /**
   * Of a file system.
   *
   * @param alone held while it is decided that a name is free, and taken: no change of a file
   *     system is under way then, which would keep new files from waiting
   */
  NewNames(FilesById files, OpenFiles open, LiveContent.Forcing forcing, Lock alone) {
    this.files = files;
    this.open = open;
    this.forcing = forcing;
    this.alone = alone;
  }

  /** All that was done before is durable when this returns. */
  void force() {
    forcing.all(files);
  }

  /** Whether there are any. */
  boolean areAny() {
    return forcing.collected().hasNew();
  }

  /** What a path leads to but for these; null where that is nothing. */
  @Nullable FileInfo find(StorePath place, LinkPolicy links) {
    return files.find(place, links);
  }

  /** What a path leads to, where nothing need be committed before to say that; else null. */
  @Nullable FileInfo look(StorePath place, LinkPolicy links) {
    if (forcing.collected().isSettled()) {
      return null;
    }
    FileInfo there = find(place, links);
    if (there == null || (there.isDirectory() ? areAny() : open.isPending(there.id()))) {
      return null;
    }
    // Once more: what was pending at the first look may have been committed before the question.
    FileInfo now = find(place, links);
    return now != null && now.id() == there.id() ? now : null;
  }

  /** What is known of a place where a file is new; null if none is. */
  @Nullable PosixFileAttributes attributes(StorePath place, String volume) {
    StorePath name = areAny() ? name(place) : null;
    OpenFile file = name == null ? null : open.newOf(name);
    Making.Seen seen = file == null ? null : file.seenNew();
    return name == null || file == null || seen == null
        ? null
        : new NewFileAttributes(seen.sizeBytes(), seen.mode(), () -> committed(name, file, volume));
  }

  private @Nullable PosixFileAttributes committed(StorePath name, OpenFile file, String volume) {
    try {
      FileInfo there = forcing.changes().store().stat(name, LinkPolicy.NO_FOLLOW);
      return there.id() == file.id() ? new UpcallFileAttributes(volume, there) : null;
    } catch (UpcallException.NotFound gone) {
      return null;
    }
  }

  /** The name of a place; null where its directory is not found, or it can be no name of a file. */
  @Nullable StorePath name(StorePath place) {
    String last = place.lastName();
    if (last.isEmpty() || last.equals(".") || last.equals("..")) {
      return null;
    }
    FileInfo directory;
    try {
      directory = find(place.parent(), LinkPolicy.FOLLOW);
    } catch (UpcallException failed) { // of which whoever goes on there hears
      return null;
    }
    return directory == null || !directory.isDirectory()
        ? null
        : UpcallException.value(StorePath.parse(directory.id(), last));
  }

  /** A new file by its name; null if there is none. */
  @Nullable Content open(StorePath name, boolean durable) {
    OpenFile file = open.openNew(name);
    return file == null ? null : content(file, durable);
  }

  @Override
  public Content open(StorePath path, long id, boolean durable) {
    return content(open.open(id, () -> files.sizeBytes(id)), durable);
  }

  @Override
  public NewNames newNames() {
    return this;
  }

  private Content content(OpenFile file, boolean durable) {
    return new LiveContent(files, open, file, durable ? forcing.durable() : forcing);
  }

  /**
   * Makes a file; null if it must be committed at once, or something has the name. From when it is
   * new, whoever changes the store waits until it is made; so the name is free if nobody was
   * changing anything then, and it is not found. Else it is for the caller to make one at once.
   */
  @Nullable Content make(StorePath name, int mode) {
    if (forcing.each() != Durability.ASYNC || forcing.changes().areWatched()) {
      return null;
    }
    alone.lock();
    try {
      if (open.newOf(name) != null) {
        return null;
      }
      OpenFile file = new OpenFile(name);
      PendingWrites writes = forcing.collected().ofNew(new Making(name, mode, open.fateOf(file)));
      if (writes == null) {
        return null;
      }
      open.add(file, writes);
      forcing.collected().addNew(writes);
      if (!stays(writes, name)) {
        return null;
      }
      open.name(file);
      return content(file, /* durable= */ false);
    } finally {
      alone.unlock();
    }
  }

  /** Whether a file may go on as new, or is made by now; else it is given up. */
  private boolean stays(PendingWrites writes, StorePath name) {
    boolean free = false;
    try {
      free = !files.areNamesChanging() && find(name, LinkPolicy.NO_FOLLOW) == null;
    } finally {
      if (!free) {
        free = !writes.giveUpNew() && isMade(writes);
      }
    }
    return free;
  }

  /** Of a file that somebody was making already, who was about to change something else. */
  private static boolean isMade(PendingWrites writes) {
    try {
      writes.settle();
      return true;
    } catch (UpcallException refused) { // as is who makes one at once, and tells of it
      return !writes.giveUpNew();
    }
  }

  /** Takes a file away that is new, and that nobody has open; false if there is none. */
  boolean delete(StorePath place) {
    StorePath name = name(place);
    return name != null && open.giveUpNew(name);
  }
}
