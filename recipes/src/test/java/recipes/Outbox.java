package recipes;

import dev.upcall.FsmUpcall;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import java.nio.file.Path;
import java.util.function.BiConsumer;

/** A change, and the message that tells of it, as one: whatever happens in between. */
public final class Outbox {
  // begin
  private final FsmUpcall store;

  void placeOrder(String id, String order) {
    store.transact(
        both -> {
          both.writeString("/orders/" + id, order, PutOptions.WITH_PARENTS);
          both.writeString("/outbox/" + id, "ordered " + id, PutOptions.WITH_PARENTS);
          return null;
        });
  }

  /** Sends what waits, in the order of the names; what a crash interrupts is sent again. */
  void sendAll(BiConsumer<String, String> broker) {
    store.forEach(
        "/outbox",
        message -> {
          String path = "/outbox/" + message.name();
          broker.accept(message.name(), store.readString(path));
          store.delete(path); // only now: at least once, and the id tells repetitions
        });
  }

  // end

  private Outbox(FsmUpcall store) {
    this.store = store;
  }

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    try (FsmUpcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT).fsm()) {
      Outbox outbox = new Outbox(store);
      outbox.placeOrder("0001", "two cups");
      outbox.placeOrder("0002", "a plate");
      outbox.sendAll((id, message) -> System.out.println(id + ": " + message));
      outbox.sendAll((id, message) -> System.out.println("again: " + id));
    }
  }
}
