package dev.upcall.bench.largeobject.study;

import dev.upcall.OpenMode;
import dev.upcall.Upcall;
import dev.upcall.bench.edits.EditedStore;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.HdrHistogram.Histogram;

/**
 * An object of the store, as a file with a policy of its own, and the mix that is run on it.
 *
 * @param meanBytes of an operation
 * @param structure whose policy the file has; pages are blocks
 */
record StoredObject(int meanBytes, Structure structure) {
  private static final long SEED = 1;
  private static final long MOST_NANOS = 60_000_000_000L;
  private static final int DIGITS = 3;

  /** When an edit gets its place on the volume. */
  enum Placing {
    /** As usual: its bytes ride in the log, and are placed later, with others. */
    LATER,
    /** Each edit is followed by a checkpoint. */
    AT_ONCE
  }

  /** The name of its file. */
  String name() {
    return "mean-%d-%s-%d".formatted(meanBytes, structure.manager(), structure.pages());
  }

  /** What distinguishes it from others. */
  String label() {
    return Mixes.words(meanBytes) + ", " + structure.label();
  }

  /** Makes the file. */
  void make(EditedStore store, long objectBytes) {
    store.make(name(), objectBytes);
    store.choose(name(), structure.ofFile());
  }

  /** Does so many operations, one after the other; each edit is durable before the next. */
  StoreMark.Ran run(EditedStore store, int operations, Placing placing) {
    Operations stream = new Operations(meanBytes, SEED);
    Map<Operations.Kind, Histogram> latencies = new EnumMap<>(Operations.Kind.class);
    for (Operations.Kind kind : Operations.Kind.values()) {
      latencies.put(kind, new Histogram(MOST_NANOS, DIGITS));
    }
    byte[] bytes = new byte[Operations.mostBytes(meanBytes)];
    new Random(SEED).nextBytes(bytes);
    long inserted = 0;
    store.store().checkpoint();
    long written = store.writtenBytes();
    long begun = System.nanoTime();
    long before = begun;
    try (Upcall.RandomAccess file = store.store().open("/" + name(), OpenMode.EXISTING)) {
      for (int i = 0; i < operations; i++) {
        Operations.Operation operation = stream.next(file.sizeBytes());
        perform(file, operation, ByteBuffer.wrap(bytes, 0, (int) operation.bytes()));
        if (placing == Placing.AT_ONCE && operation.kind() != Operations.Kind.READ) {
          store.store().checkpoint();
        }
        if (operation.kind() == Operations.Kind.INSERT) {
          inserted += operation.bytes();
        }
        long now = System.nanoTime();
        Objects.requireNonNull(latencies.get(operation.kind()))
            .recordValue(Math.min(now - before, MOST_NANOS));
        before = now;
      }
    }
    store.store().checkpoint();
    return new StoreMark.Ran(
        before - begun,
        latencies,
        inserted,
        store.writtenBytes() - written,
        store.store().stat("/" + name()));
  }

  private static void perform(
      Upcall.RandomAccess file, Operations.Operation operation, ByteBuffer bytes) {
    switch (operation.kind()) {
      case READ -> {
        long at = operation.offset();
        while (bytes.hasRemaining()) {
          at += file.read(at, bytes);
        }
      }
      case INSERT -> {
        file.insert(operation.offset(), bytes);
        file.flush();
      }
      case DELETE -> {
        file.cut(operation.offset(), operation.bytes());
        file.flush();
      }
    }
  }
}
