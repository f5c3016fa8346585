package recipes.tables;

import dev.upcall.Listing.Direction;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.table.Codec;
import dev.upcall.table.Codecs;
import dev.upcall.table.Index;
import dev.upcall.table.Range;
import dev.upcall.table.Records;
import dev.upcall.table.Triple;
import java.nio.file.Path;
import java.util.List;

/** Records with two indexes, which change in the commit of the record. */
public final class IndexedRecords {
  // begin
  record Customer(String email, String city, int age) {}

  private static final Codec<Customer> CUSTOMER =
      Codecs.triple(Codecs.STRING, Codecs.STRING, Codecs.INT)
          .map(
              all -> new Customer(all.first(), all.second(), all.third()),
              customer -> new Triple<>(customer.email(), customer.city(), customer.age()));

  private static final Index<Customer, String> BY_EMAIL =
      Index.unique("/customers-by-email", Codecs.STRING, Customer::email);
  private static final Index<Customer, Integer> BY_AGE =
      Index.of("/customers-by-age", Codecs.INT, Customer::age);

  static Records<Customer> open(Upcall store) {
    return store.records("/customers", CUSTOMER, List.of(BY_EMAIL, BY_AGE));
  }

  // end

  private IndexedRecords() {}

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT)) {
      Records<Customer> customers = open(store);
      long ann = customers.append(new Customer("ann@example.com", "Bern", 41));
      customers.append(new Customer("bob@example.com", "Basel", 35));
      try {
        customers.append(new Customer("ann@example.com", "Chur", 20));
      } catch (UpcallException.AlreadyExists taken) {
        System.out.println("one address, one customer");
      }
      customers.update(ann, new Customer("ann@example.com", "Bern", 42));
      System.out.println(
          customers.find(BY_EMAIL, "ann@example.com").findFirst().orElseThrow().record().age());
      customers
          .find(BY_AGE, Range.from(30), Direction.DESCENDING)
          .forEach(found -> System.out.println(found.record().email()));
    }
  }
}
