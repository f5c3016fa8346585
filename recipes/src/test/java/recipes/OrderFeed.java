package recipes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.Existence;
import dev.upcall.FileContent;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.request.FileRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Takes orders from a feed, each once, whatever crashes in between. */
public final class OrderFeed {
  /** What the feed gives. */
  record Order(String id, String customer, String text) {}

  // begin
  private static final String POSITION = "shop.position"; // properties are the whole store's
  private static final String CUSTOMER = "shop.customer"; // attributes are a file's

  private final Upcall store;

  /** How many orders of the feed are in the store: what a restart begins behind. */
  int position() {
    return store
        .property(POSITION)
        .map(value -> Integer.parseInt(new String(value, UTF_8)))
        .orElse(0);
  }

  /** All of these orders and the new position, in one commit: all of it happens, or nothing. */
  void take(List<Order> orders) {
    List<FileRequest> requests = new ArrayList<>();
    for (Order order : orders) {
      MetadataChange customer =
          MetadataChange.NONE.withAttribute(CUSTOMER, order.customer().getBytes(UTF_8));
      requests.add(
          new FileRequest.Put(
              "/orders/" + order.id(),
              new FileContent.Bytes(order.text().getBytes(UTF_8)),
              PutOptions.WITH_PARENTS.withMetadata(customer)));
    }
    String next = Integer.toString(position() + orders.size());
    requests.add(new FileRequest.SetProperty(POSITION, next.getBytes(UTF_8)));
    store.batch(requests);
  }

  /** Whose an order is; its content is not read for that. */
  String customer(String id) {
    return new String(store.stat("/orders/" + id).attributes().get(CUSTOMER), UTF_8);
  }

  /** Later requests of a batch see what earlier ones did. */
  void cancel(String id, String reason) {
    MetadataChange why = MetadataChange.NONE.withAttribute("shop.reason", reason.getBytes(UTF_8));
    store.batch(
        List.of(
            new FileRequest.Rename("/orders/" + id, "/cancelled-" + id, Existence.MUST_NOT_EXIST),
            new FileRequest.SetMetadata("/cancelled-" + id, LinkPolicy.FOLLOW, why)));
  }

  // end

  private OrderFeed(Upcall store) {
    this.store = store;
  }

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    List<Order> feed =
        List.of(
            new Order("1", "Ada", "two cups"),
            new Order("2", "Grace", "a pot"),
            new Order("3", "Ada", "a tray"));
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT)) {
      OrderFeed orders = new OrderFeed(store);
      orders.take(feed.subList(orders.position(), 2));
      System.out.println("position " + orders.position() + ", 2 is " + orders.customer("2") + "'s");
      orders.cancel("2", "broken");
      try {
        orders.cancel("2", "again");
      } catch (UpcallException.NotFound gone) {
        System.out.println("cancelled once");
      }
    }
    try (Upcall store = Upcall.open(Path.of(args[0]), UpcallConfig.DEFAULT)) {
      OrderFeed orders = new OrderFeed(store);
      orders.take(feed.subList(orders.position(), 3));
      System.out.println("position " + orders.position());
      store.forEach("/orders", order -> System.out.println("order " + order.name()));
      byte[] reason = store.stat("/cancelled-2").attributes().get("shop.reason");
      System.out.println("2 was cancelled: " + new String(reason, UTF_8));
    }
  }
}
