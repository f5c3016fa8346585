package dev.upcall.bench.micro;

import dev.upcall.bench.peer.DurableStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Values in another embedded store, in its own caches. */
final class PeerReads implements WarmReads {
  private final DurableStore store;
  private final List<String> names = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(1);

  PeerReads(String kind, Path folder, int files) throws IOException {
    store = DurableStore.open(kind, folder.resolve(kind));
    for (int i = 0; i < files; i++) {
      String name = WarmReads.path(i);
      store.put(name, WarmReads.content(i));
      WarmReads.check(i, store.get(name));
      names.add(name);
    }
  }

  @Override
  public long read(int count) throws IOException {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += store.get(names.get(random.nextInt(names.size())))[FILE_BYTES - 1];
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
