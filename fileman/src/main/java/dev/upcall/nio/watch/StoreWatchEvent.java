package dev.upcall.nio.watch;

import java.nio.file.WatchEvent;
import org.jspecify.annotations.Nullable;

/** An event as programs get it. */
record StoreWatchEvent<T>(WatchEvent.Kind<T> kind, int count, @Nullable T context)
    implements WatchEvent<T> {}
