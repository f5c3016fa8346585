package dev.upcall.nio.watch;

import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.Watchable;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A directory as a service watches it. Whoever applies changes adds events; any thread takes them.
 */
final class StoreWatchKey implements WatchKey, EntrySink {
  private final StoreWatchService service;
  private final long directory;
  private final Path watchable;
  private final EntryEvents events = new EntryEvents();
  private final AtomicBoolean signalled = new AtomicBoolean();
  private volatile Set<WatchEvent.Kind<?>> kinds = Collections.emptySet();
  private volatile boolean valid = true;

  /** Of a directory, as the program named it. */
  StoreWatchKey(StoreWatchService service, long directory, Path watchable) {
    this.service = service;
    this.directory = directory;
    this.watchable = watchable;
  }

  long directory() {
    return directory;
  }

  /** Which events it has from now on. */
  void wants(Set<WatchEvent.Kind<?>> wanted) {
    kinds = wanted;
  }

  // ------------------------------------------------------------------ whoever applies changes

  @Override
  public void created(String name, long scn) {
    add(StandardWatchEventKinds.ENTRY_CREATE, name);
  }

  @Override
  public void modified(String name, long scn) {
    add(StandardWatchEventKinds.ENTRY_MODIFY, name);
  }

  @Override
  public void deleted(String name, long scn) {
    add(StandardWatchEventKinds.ENTRY_DELETE, name);
  }

  private void add(WatchEvent.Kind<Path> kind, String name) {
    if (valid && kinds.contains(kind) && service.shows(directory, name)) {
      events.add(kind, name);
      signal();
    }
  }

  @Override
  public void overflowed(long scn) {
    if (valid) {
      events.overflow();
      signal();
    }
  }

  @Override
  public void gone() {
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
