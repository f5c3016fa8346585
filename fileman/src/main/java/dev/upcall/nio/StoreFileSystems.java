package dev.upcall.nio;

import dev.upcall.Upcall;
import dev.upcall.UpcallSnapshot;
import dev.upcall.nio.collected.Ahead;
import dev.upcall.nio.collected.FilesById;
import dev.upcall.nio.collected.WriteBehind;
import dev.upcall.nio.content.Changes;
import dev.upcall.nio.content.Content;
import dev.upcall.nio.content.Contents;
import dev.upcall.nio.content.FixedContent;
import dev.upcall.nio.content.LiveContent;
import dev.upcall.nio.content.LiveContents;
import dev.upcall.nio.content.OpenFile;
import dev.upcall.nio.content.OpenFiles;
import dev.upcall.nio.watch.Directories;
import dev.upcall.store.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The file systems of one store: one for each durability, made when first asked for, and again when
 * it was closed. They share what is open. Any threads.
 */
public final class StoreFileSystems {
  private final ReentrantLock guard = new ReentrantLock();
  private final Map<Durability, UpcallFileSystem> systems = new EnumMap<>(Durability.class);
  private final Upcall store;
  private final FilesById files;
  private final Directories directories;
  private final String volume;
  private final OpenFiles open;
  private final WriteBehind collected;
  private boolean swept;

  /**
   * Of a store; nothing is made yet.
   *
   * @param files must not wait for {@link #settle}
   * @param directories as well
   * @param volume the volume's file
   * @param memoryBytes the store's memory
   */
  public StoreFileSystems(
      Upcall store, FilesById files, Directories directories, String volume, long memoryBytes) {
    this.store = store;
    this.files = files;
    this.directories = directories;
    this.volume = volume;
    this.collected = new WriteBehind(files, memoryBytes);
    this.open = new OpenFiles(changes(Durability.ASYNC));
  }

  /** The file system whose changes are as durable when they return. */
  public FileSystem of(Durability durability) {
    Objects.requireNonNull(durability, "durability");
    guard.lock();
    try {
      UpcallFileSystem present = systems.get(durability);
      if (present == null || !present.isOpen()) {
        sweep();
        present = make(durability);
        systems.put(durability, present);
      }
      return present;
    } finally {
      guard.unlock();
    }
  }

  /** The first to come takes away what an earlier process left. */
  private void sweep() {
    if (!swept && !store.config().readOnly()) {
      open.sweep();
    }
    swept = true;
  }

  private Changes changes(Durability durability) {
    return new Changes(store, directories, durability);
  }

  private UpcallFileSystem make(Durability durability) {
    Changes changes = changes(durability);
    LiveContent.Forcing forcing = new LiveContent.Forcing(changes, collected, durability);
    Contents contents = new LiveContents(files, open, forcing);
    MountUri uri = MountUri.of(Path.of(volume), /* snapshot= */ null);
    return mounted(new Mount(uri, changes, open, contents, store::info));
  }

  private static UpcallFileSystem mounted(Mount mount) {
    UpcallFileSystemProvider provider = UpcallFileSystemProvider.installed();
    UpcallFileSystem system = new UpcallFileSystem(provider, mount);
    provider.mounts().add(system);
    return system;
  }

  /**
   * A file system of a snapshot, read only; the snapshot stays its owner's.
   *
   * @param name what its URIs call it
   */
  public FileSystem of(UpcallSnapshot snapshot, String name) {
    Changes changes = new Changes(snapshot);
    OpenFiles openInIt = new OpenFiles(changes);
    Contents contents =
        (path, id, _) -> {
          OpenFile file = openInIt.open(id, () -> {});
          boolean opened = false;
          try {
            Content content = new FixedContent(snapshot.read(path), openInIt, file);
            opened = true;
            return content;
          } finally {
            if (!opened) {
              openInIt.close(file);
            }
          }
        };
    MountUri uri = MountUri.of(Path.of(volume), name);
    return mounted(new Mount(uri, changes, openInIt, contents, store::info));
  }

  /**
   * Commits what channels have written and not committed yet, for one who is about to look at the
   * store or to change it. Costs nothing where there is none.
   */
  public void settle() {
    collected.settleForOthers();
  }

  /** As {@link #settle}, by the request of the one who is about to; null if nothing is left. */
  public @Nullable Ahead ahead() {
    return collected.ahead();
  }

  /** The store closes: so do they, and their channels. */
  public void close() {
    guard.lock();
    try {
      for (UpcallFileSystem system : List.copyOf(systems.values())) {
        system.close();
      }
      if (!systems.isEmpty() && !store.config().readOnly()) {
        collected.settle(); // so that it is told what could not be committed
        open.sweep();
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } finally {
      guard.unlock();
    }
  }
}
