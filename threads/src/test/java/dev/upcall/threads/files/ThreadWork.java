package dev.upcall.threads.files;

import dev.upcall.Existence;
import dev.upcall.FileContent;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.request.FileRequest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Many threads on one store, each the only writer of some files. Version n of a file is known from
 * n alone, so whoever reads a file can say which version it is and whether it is whole; how far
 * each file was acknowledged, and begun, is known at every moment.
 */
final class ThreadWork {
  private static final int FILES_PER_WRITER = 6;
  private static final int HEAD_BYTES = 16;

  private final Upcall store;
  private final AtomicLongArray begun;
  private final AtomicLongArray acknowledged;

  ThreadWork(Upcall store, int writers) {
    this.store = store;
    this.begun = new AtomicLongArray(writers * FILES_PER_WRITER);
    this.acknowledged = new AtomicLongArray(writers * FILES_PER_WRITER);
  }

  long[] acknowledgedNow() {
    return copy(acknowledged);
  }

  long[] begunNow() {
    return copy(begun);
  }

  private static long[] copy(AtomicLongArray from) {
    long[] copy = new long[from.length()];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = from.get(i);
    }
    return copy;
  }

  int files() {
    return begun.length();
  }

  /** One writer's next steps. */
  void write(int writer, int steps, long seed) {
    Random random = new Random(seed * 1_000_003 + writer);
    for (int i = 0; i < steps; i++) {
      int file = writer * FILES_PER_WRITER + random.nextInt(FILES_PER_WRITER);
      long version = begun.incrementAndGet(file);
      if (version % 7 == 0) {
        delete(file);
      } else if (version % 5 == 0) {
        store.batch(List.of(put(file, version), property(file, version)));
      } else if (version % 11 == 0) {
        String other = path(file) + ".new";
        store.write(other, content(file, version));
        store.rename(other, path(file), Existence.ANY);
      } else {
        store.write(path(file), content(file, version));
      }
      acknowledged.set(file, version);
    }
  }

  private void delete(int file) {
    try {
      store.delete(path(file));
    } catch (UpcallException failed) {
      if (!(failed.failure() instanceof Failure.NotFound)) {
        throw failed;
      }
    }
  }

  private static FileRequest put(int file, long version) {
    return new FileRequest.Put(
        StorePath.of(path(file)),
        new FileContent.Bytes(content(file, version)),
        PutOptions.DEFAULT);
  }

  private static FileRequest property(int file, long version) {
    return new FileRequest.SetProperty(
        "p" + file, ByteBuffer.allocate(Long.BYTES).putLong(version).array());
  }

  /** Reads some files and fails when one is not what some version was. */
  void read(int steps, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < steps; i++) {
      int file = random.nextInt(files());
      long atLeast = acknowledged.get(file);
      long found = found(store, file);
      long atMost = begun.get(file);
      check(file, found, atLeast, atMost);
    }
  }

  /** Compares every file with how far it was. */
  static void compare(Upcall store, long[] acknowledged, long[] begun) {
    for (int file = 0; file < acknowledged.length; file++) {
      check(file, found(store, file), acknowledged[file], begun[file]);
    }
  }

  /** Version 0, and every seventh, is a file that is not there. */
  private static void check(int file, long found, long atLeast, long atMost) {
    for (long version = atLeast; version <= atMost; version++) {
      if (found == (version % 7 == 0 ? 0 : version)) {
        return;
      }
    }
    throw new AssertionError(
        "%s has version %d, acknowledged were %d, begun %d"
            .formatted(path(file), found, atLeast, atMost));
  }

  private static long found(Upcall store, int file) {
    byte[] bytes;
    try {
      bytes = store.readAllBytes(path(file));
    } catch (UpcallException failed) {
      if (failed.failure() instanceof Failure.NotFound) {
        return 0;
      }
      throw failed;
    }
    long version = ByteBuffer.wrap(bytes).getLong(Long.BYTES);
    byte[] expected = content(file, version);
    if (!java.util.Arrays.equals(bytes, expected)) {
      throw new AssertionError(path(file) + " is no whole version, it begins like " + version);
    }
    return version;
  }

  private static String path(int file) {
    return "/f" + file;
  }

  private static byte[] content(int file, long version) {
    Random random = new Random(file * 7919L + version);
    int size =
        switch (random.nextInt(10)) {
          case 0, 1, 2 -> random.nextInt(400);
          case 3, 4, 5, 6 -> random.nextInt(20_000);
          case 7, 8 -> random.nextInt(150_000);
          default -> random.nextInt(1_200_000);
        };
    byte[] bytes = new byte[HEAD_BYTES + size];
    random.nextBytes(bytes);
    ByteBuffer.wrap(bytes).putLong(file).putLong(version);
    return bytes;
  }
}
