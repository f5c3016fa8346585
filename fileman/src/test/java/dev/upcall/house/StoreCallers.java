package dev.upcall.house;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import java.util.concurrent.CompletableFuture;

/** Who calls a store, or what is built on one, with arguments that cannot be meant. */
public final class StoreCallers {
  private StoreCallers() {}

  /** A thread that calls and waits. */
  public record Waiting(Upcall store) implements FaceArguments.Caller {
    @Override
    public void settle() {
      store.stat("/");
    }
  }

  /** A program on the store's own thread. */
  public record OnStoresThread(FsmUpcall store) implements FaceArguments.Caller {
    @Override
    public Object call(FaceArguments.Call call) throws Throwable {
      CompletableFuture<Throwable> thrown = new CompletableFuture<>();
      store.execute(
          () -> {
            try {
              call.run();
              thrown.complete(null);
            } catch (Throwable error) {
              thrown.complete(error);
            }
          });
      Throwable error = thrown.join();
      if (error != null) {
        throw error;
      }
      return null;
    }

    @Override
    public void settle() {
      store.flush();
      store.stat("/");
    }
  }
}
