package dev.upcall.bench.micro;

import dev.upcall.FileContent;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.request.FileRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A store of small files in memory; how they are read is the business of those who extend this. */
abstract class StoreReads implements WarmReads {
  private static final int BATCH = 64;

  private final Upcall store;
  private final List<StorePath> paths = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(1);

  /** Makes the store, gives its files their places on the volume, and reads each once. */
  StoreReads(Path folder, UpcallConfig config, int files) {
    store = Upcall.create(folder.resolve("bench.upcall"), config);
    List<FileRequest> puts = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      if (i % FILES_PER_DIRECTORY == 0) {
        StorePath directory = StorePath.of(WarmReads.directory(i));
        puts.add(new FileRequest.CreateDirectory(directory));
      }
      StorePath path = StorePath.of(WarmReads.path(i));
      paths.add(path);
      FileContent content = new FileContent.Bytes(WarmReads.content(i));
      puts.add(new FileRequest.Put(path, content, PutOptions.DEFAULT));
      if (puts.size() >= BATCH || i == files - 1) {
        store.batch(List.copyOf(puts));
        puts.clear();
      }
    }
    store.checkpoint();
    for (int i = 0; i < files; i++) {
      WarmReads.check(i, store.readAllBytes(WarmReads.path(i)));
    }
  }

  final Upcall store() {
    return store;
  }

  final List<StorePath> paths() {
    return paths;
  }

  /** The number of the next file to read. */
  final int next() {
    return random.nextInt(paths.size());
  }

  @Override
  public void close() {
    store.close();
  }
}
