package dev.upcall.bench.ecommerce;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * TPC-W, a bookshop: most of what is read are scans of the items, which no index serves. The shares
 * of the 14 interactions are the specification's, their pages follow from what each must look at.
 */
final class TpcW extends Workload {
  private static final List<String> KINDS =
      List.of(
          "Home",
          "New Products",
          "Best Sellers",
          "Product Detail",
          "Search Request",
          "Search Results",
          "Shopping Cart",
          "Customer Registration",
          "Buy Request",
          "Buy Confirm",
          "Order Inquiry",
          "Order Display",
          "Admin Request",
          "Admin Confirm");

  static final List<Mix> MIXES =
      List.of(
          Mix.of("browsing", KINDS, 29, 11, 11, 21, 12, 11, 2, .82, .75, .69, .3, .25, .1, .09),
          Mix.of("shopping", KINDS, 16, 5, 5, 17, 20, 17, 11.6, 3, 2.6, 1.2, .75, .66, .1, .09),
          Mix.of(
              "ordering",
              KINDS,
              9.12,
              .46,
              .46,
              12.35,
              14.53,
              13.08,
              13.53,
              12.86,
              12.73,
              10.18,
              .25,
              .22,
              .12,
              .11));

  private static final double POPULARITY = 0.8;
  private static final int RECENT_ORDER_LINES = 10_000;
  private static final int BEST_SELLERS = 50;
  private static final int CARTS = 128;

  /** A scan finds an item in so many pages, and looks for its author. */
  private static final int MATCH_PAGES = 64;

  private static final int NO_MATCHES = 1 << 20;

  private final Table customer;
  private final Table address;
  private final Table orders;
  private final Table orderLine;
  private final Table creditCard;
  private final Table item;
  private final Table author;
  private final Table cart;
  private final Draws.Zipf popular;

  TpcW(Mix mix, double scale) {
    super(Kind.TPC_W, mix, scale);
    customer = schema.table("customer", 1_446_126, 264);
    address = schema.table("address", 2_886_116, 109);
    orders = schema.table("orders", 1_296_000, 69);
    orderLine = schema.table("order line", 3_888_203, 91);
    creditCard = schema.table("credit card", 1_296_000, 86);
    item = schema.table("item", 1_000_000, 535);
    author = schema.table("author", 250_000, 365);
    schema.table("country", 92, 35);
    cart = schema.table("shopping cart", CARTS, 100);
    popular = new Draws.Zipf(Math.toIntExact(item.rows()), POPULARITY);
  }

  @Override
  public Interaction next(RandomGenerator random) {
    String kind = mix().draw(random);
    Script script = new Script();
    switch (kind) {
      case "Home", "Search Request" -> {
        anyItem(script, random);
        anyItem(script, random);
        script.read(customer, any(customer, random));
      }
      case "Product Detail" -> itemAndAuthor(script, popularItem(random));
      case "New Products" -> newProducts(script, random);
      case "Best Sellers" -> bestSellers(script, random);
      case "Search Results" -> searchResults(script, random);
      case "Shopping Cart" -> {
        for (int i = Draws.between(random, 1, 5); i > 0; i--) {
          script.read(item, popularItem(random));
        }
        script.change(cart, any(cart, random));
      }
      case "Customer Registration" -> {
        script.read(customer, any(customer, random));
        if (random.nextInt(5) == 0) {
          script.append(customer).append(address).append(address);
        }
      }
      case "Buy Request" -> {
        script.change(customer, any(customer, random)).read(address, any(address, random));
        script.read(cart, any(cart, random));
      }
      case "Buy Confirm" -> buyConfirm(script, random);
      case "Order Inquiry", "Order Display" -> orderDisplay(script, random);
      case "Admin Request" -> script.change(item, any(item, random));
      default -> {
        script.change(item, any(item, random));
        script.readRows(orderLine, recentLines(), scaled(RECENT_ORDER_LINES));
      }
    }
    return new Interaction(kind, script.steps());
  }

  private void newProducts(Script script, RandomGenerator random) {
    scanItems(script, random, 64, 1024, NO_MATCHES);
    for (int i = 0; i < 5; i++) {
      script.read(author, any(author, random));
    }
  }

  private void searchResults(Script script, RandomGenerator random) {
    switch (random.nextInt(3)) {
      case 0 -> script.read(author, any(author, random));
      case 1 -> scanItems(script, random, 256, 4096, MATCH_PAGES);
      default -> newProducts(script, random);
    }
  }

  private void bestSellers(Script script, RandomGenerator random) {
    script.readRows(orderLine, recentLines(), scaled(RECENT_ORDER_LINES));
    for (int i = 0; i < BEST_SELLERS; i++) {
      itemAndAuthor(script, any(item, random));
    }
  }

  private void buyConfirm(Script script, RandomGenerator random) {
    script.append(orders).append(creditCard);
    for (int i = Draws.between(random, 1, 5); i > 0; i--) {
      script.append(orderLine).change(item, popularItem(random));
    }
    script.change(cart, any(cart, random));
  }

  private void orderDisplay(Script script, RandomGenerator random) {
    script.read(customer, any(customer, random));
    double order = random.nextDouble();
    script.read(orders, orders.rowAt(order)).readRows(orderLine, orderLine.rowAt(order), 3);
    script.read(creditCard, creditCard.rowAt(order));
    script.read(address, any(address, random)).read(address, any(address, random));
  }

  /** A run of item pages; as long as the table at most. */
  private void scanItems(
      Script script, RandomGenerator random, int least, int most, int matchPages) {
    int pages = (int) Math.min(Draws.between(random, least, most), item.loadedPages());
    long offset = random.nextLong(item.loadedPages() - pages + 1);
    for (int at = 0; at < pages; at += matchPages) {
      script.scan(item, offset + at, Math.min(matchPages, pages - at));
      if (at + matchPages < pages) {
        script.read(author, any(author, random));
      }
    }
  }

  private void anyItem(Script script, RandomGenerator random) {
    script.read(item, any(item, random));
  }

  private void itemAndAuthor(Script script, long row) {
    script.read(item, row).read(author, author.rowAt((double) row / item.rows()));
  }

  /** Popular items do not lie together. */
  private long popularItem(RandomGenerator random) {
    return Draws.scattered(popular.draw(random), item.rows());
  }

  private long recentLines() {
    return Math.max(0, orderLine.rows() - scaled(RECENT_ORDER_LINES));
  }

  private long scaled(long rows) {
    return Math.min(rows, orderLine.rows());
  }

  private static long any(Table table, RandomGenerator random) {
    return random.nextLong(table.rows());
  }
}
