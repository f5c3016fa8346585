package dev.upcall.nio.watch;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.Watchable;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A directory as a service watches it. Whoever applies changes adds events; any thread takes them.
 */
final class StoreWatchKey implements WatchKey {
  private final StoreWatchService service;
  private final long directory;
  private final Path watchable;
  private final Sink sink;
  private final EntryEvents events = new EntryEvents();
  private final AtomicBoolean signalled = new AtomicBoolean();
  private volatile Set<WatchEvent.Kind<?>> kinds = Collections.emptySet();
  private volatile boolean valid = true;

  /** Of a directory, as the program named it. */
  StoreWatchKey(StoreWatchService service, long directory, Path watchable) {
    this.service = service;
    this.directory = directory;
    this.watchable = watchable;
    this.sink = new Sink(this, service.directories(), directory);
  }

  long directory() {
    return directory;
  }

  /** Which events it has from now on. */
  void wants(Set<WatchEvent.Kind<?>> wanted) {
    kinds = wanted;
  }

  /** What the store tells of changes. */
  Sink sink() {
    return sink;
  }

  // ------------------------------------------------------------------ whoever applies changes

  /**
   * Tells a key as long as the program can reach it, or its service. A key that was forgotten is
   * told nothing more from the next change on.
   */
  static final class Sink implements EntrySink {
    private final WeakReference<StoreWatchKey> key;
    private final Directories directories;
    private final long directory;

    private Sink(StoreWatchKey key, Directories directories, long directory) {
      this.key = new WeakReference<>(key);
      this.directories = directories;
      this.directory = directory;
    }

    private void tell(Consumer<StoreWatchKey> what) {
      StoreWatchKey present = key.get();
      if (present == null) {
        directories.forget(directory, this);
      } else {
        what.accept(present);
      }
    }

    @Override
    public void created(String name, long scn) {
      tell(known -> known.add(StandardWatchEventKinds.ENTRY_CREATE, name));
    }

    @Override
    public void modified(String name, long scn) {
      tell(known -> known.add(StandardWatchEventKinds.ENTRY_MODIFY, name));
    }

    @Override
    public void deleted(String name, long scn) {
      tell(known -> known.add(StandardWatchEventKinds.ENTRY_DELETE, name));
    }

    @Override
    public void overflowed(long scn) {
      tell(StoreWatchKey::overflow);
    }

    @Override
    public void gone() {
      tell(StoreWatchKey::end);
    }

    /** For tests: as when the program has forgotten the key, and the collector has seen that. */
    void forget() {
      key.clear();
    }
  }

  private void add(WatchEvent.Kind<Path> kind, String name) {
    if (valid && kinds.contains(kind) && service.shows(directory, name)) {
      events.add(kind, name);
      signal();
    }
  }

  private void overflow() {
    if (valid) {
      events.overflow();
      signal();
    }
  }

  private void end() {
    valid = false;
    service.forget(this);
    signal();
  }

  private void signal() {
    if (!signalled.getAndSet(true)) {
      service.ready(this);
    }
  }

  // ------------------------------------------------------------------ programs

  @Override
  public boolean isValid() {
    return valid;
  }

  @Override
  public List<WatchEvent<?>> pollEvents() {
    return events.take(watchable.getFileSystem()::getPath);
  }

  @Override
  public boolean reset() {
    if (valid && signalled.getAndSet(false) && events.hasAny()) {
      signal(); // what came between the last look and this
    }
    return valid;
  }

  @Override
  public void cancel() {
    if (valid) {
      valid = false;
      service.cancelled(this);
    }
  }

  @Override
  public Watchable watchable() {
    return watchable;
  }
}
