package dev.upcall.nio.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A watch service that the program has forgotten costs nothing from the next change on. */
class ForgottenKeyTest {
  @Test
  void keyThatIsForgotten_isToldNothingMore() throws IOException {
    List<EntrySink> told = new ArrayList<>();
    List<EntrySink> forgotten = new ArrayList<>();
    Directories directories =
        new Directories() {
          @Override
          public void watch(long directory, boolean modifications, EntrySink sink) {
            told.add(sink);
          }

          @Override
          public void forget(long directory, EntrySink sink) {
            forgotten.add(sink);
          }
        };
    try (StoreWatchService service = new StoreWatchService(directories, (_, _) -> false, _ -> {})) {
      WatchKey key =
          service.register(7, Path.of("/d"), Set.of(StandardWatchEventKinds.ENTRY_CREATE));
      told.getFirst().created("a", 1);
      assertEquals(key, service.poll());
      ((StoreWatchKey) key).sink().forget();
      told.getFirst().created("b", 2);
      assertEquals(told, forgotten);
      assertEquals(1, key.pollEvents().size());
    }
  }
}
