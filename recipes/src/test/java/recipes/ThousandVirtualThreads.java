package recipes;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A thousand callers that wait, each on a virtual thread of its own. */
public final class ThousandVirtualThreads {
  private ThousandVirtualThreads() {}

  /** The volume's path is the only argument. */
  public static void main(String[] args) throws InterruptedException, ExecutionException {
    // begin
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      store.createDirectories("/notes");
      List<Future<?>> written = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        String path = "/notes/" + i;
        String note = "note " + i;
        written.add(threads.submit(() -> store.writeString(path, note))); // waits, shares a sync
      }
      for (Future<?> one : written) {
        one.get(); // durable, each of them
      }
      System.out.println(store.readString("/notes/999"));
    }
    // end
  }
}
