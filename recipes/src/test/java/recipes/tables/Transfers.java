package recipes.tables;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.table.Codecs;
import dev.upcall.table.SortedTable;
import java.nio.file.Path;

/** Two entries that change together; a conflict runs the body again. */
public final class Transfers {
  // begin
  private final FsmUpcall store;
  private final SortedTable<String, Long> accounts;

  void transfer(String from, String to, long amount) {
    store.transact(
        transaction -> {
          SortedTable<String, Long> own = accounts.in(transaction);
          own.put(from, own.get(from).orElseThrow() - amount);
          own.put(to, own.get(to).orElseThrow() + amount);
          return null;
        });
  }

  // end

  private Transfers(FsmUpcall store) {
    this.store = store;
    this.accounts = store.sortedTable("/accounts", Codecs.STRING, Codecs.LONG);
  }

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    try (FsmUpcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT).fsm()) {
      Transfers bank = new Transfers(store);
      bank.accounts.put("ann", 100L);
      bank.accounts.put("bob", 0L);
      bank.transfer("ann", "bob", 30);
      bank.accounts.scan().forEach(System.out::println);
    }
  }
}
