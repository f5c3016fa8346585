package recipes.tables;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallTransaction;
import dev.upcall.table.Codecs;
import dev.upcall.table.SortedTable;
import java.nio.file.Path;

/** An entry of a table and a file, in one commit. */
public final class OrderAndInvoice {
  private OrderAndInvoice() {}

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    byte[] pdf = "%PDF-1.7".getBytes(UTF_8);
    try (FsmUpcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT).fsm()) {
      // begin
      SortedTable<String, String> orders =
          store.sortedTable("/shop/orders", Codecs.STRING, Codecs.STRING);
      store.createDirectories("/shop/invoices");
      try (UpcallTransaction both = store.begin()) {
        orders.in(both).put("2026-11-22/17", "3 chairs");
        both.write("/shop/invoices/17.pdf", pdf);
        both.commit(); // both or neither, whatever happens
      }
      // end
      System.out.println(orders.get("2026-11-22/17").orElseThrow());
      System.out.println(store.stat("/shop/invoices/17.pdf").sizeBytes() + " bytes");
    }
  }
}
