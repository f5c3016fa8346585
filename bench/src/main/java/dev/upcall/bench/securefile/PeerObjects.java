package dev.upcall.bench.securefile;

import dev.upcall.bench.peer.DurableStore;
import java.io.IOException;
import java.util.Arrays;

/** Another store, which takes and gives whole values. */
record PeerObjects(DurableStore store) implements ObjectStore {
  @Override
  public void put(String name, byte[] bytes, int length) throws IOException {
    store.put(name, Arrays.copyOf(bytes, length));
  }

  @Override
  public long read(String name, Sink sink) throws IOException {
    byte[] value = store.get(name);
    sink.begin(value);
    return value.length;
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
