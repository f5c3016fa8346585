package dev.upcall.bench.ecommerce;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * RUBiS, an auction: pages of results whose items are scattered, and few changes. Interactions are
 * those of the public kit's tables of transitions when they have settled, drawn independently;
 * their groups are scaled to the paper's parts of browsing and bidding.
 */
final class Rubis extends Workload {
  private static final List<Mix.Share> BROWSING =
      List.of(
          new Mix.Share("Home", 0.3),
          new Mix.Share("Browse", 1.0),
          new Mix.Share("BrowseCategories", 0.7),
          new Mix.Share("SearchItemsInCategory", 34.3),
          new Mix.Share("BrowseRegions", 0.6),
          new Mix.Share("SearchItemsInRegion", 13.9),
          new Mix.Share("ViewItem", 35.1),
          new Mix.Share("ViewUserInfo", 9.8),
          new Mix.Share("ViewBidHistory", 4.3));

  private static final List<Mix.Share> BROWSING_OF_BIDDERS =
      List.of(
          new Mix.Share("Home", 2.1),
          new Mix.Share("Browse", 7.6),
          new Mix.Share("BrowseCategories", 5.3),
          new Mix.Share("SearchItemsInCategory", 16.8),
          new Mix.Share("BrowseRegions", 4.4),
          new Mix.Share("SearchItemsInRegion", 6.8),
          new Mix.Share("ViewItem", 16.3),
          new Mix.Share("ViewUserInfo", 4.1),
          new Mix.Share("ViewBidHistory", 2.3),
          new Mix.Share("AboutMe", 5.2));

  /** Some pages of a group are forms; the last one of it changes something. */
  private static final List<Mix.Share> BIDDING =
      List.of(
          new Mix.Share("Register", 1.1),
          new Mix.Share("RegisterUser", 1.1),
          new Mix.Share("BuyNow", 3.2),
          new Mix.Share("StoreBuyNow", 1.6),
          new Mix.Share("PutBid", 13.0),
          new Mix.Share("StoreBid", 5.3),
          new Mix.Share("PutComment", 0.65),
          new Mix.Share("StoreComment", 0.65),
          new Mix.Share("Sell", 1.95),
          new Mix.Share("RegisterItem", 0.55));

  static final List<Mix> MIXES =
      List.of(
          new Mix("browsing", Draws.group(100, BROWSING)),
          mix("bidding", 85),
          mix("high bidding", 60));

  private static final double POPULARITY = 0.75;
  private static final int CATEGORIES = 20;
  private static final int ITEMS_OF_PAGE = 20;
  private static final double RESULT_PAGES = 3;
  private static final int BIDDERS = 64;
  private static final long MOST_OF_BIDDER = 30;
  private static final double ACTIVE_PART = 33_507.0 / 533_507;

  private final Table users;
  private final Table items;
  private final Table bids;
  private final Table buyNow;
  private final Table comments;
  private final Draws.Zipf popular;

  Rubis(Mix mix, double scale) {
    super(Kind.RUBIS, mix, scale);
    users = schema.table("users", 1_000_974, 109);
    items = schema.table("items", 533_507, 348);
    bids = schema.table("bids", 3_786_484, 33);
    buyNow = schema.table("buy now", 729, 25);
    comments = schema.table("comments", 398_534, 292);
    schema.table("categories", CATEGORIES, 26);
    schema.table("regions", 62, 26);
    popular = new Draws.Zipf((int) Math.max(1, items.rows() * ACTIVE_PART), POPULARITY);
  }

  private static Mix mix(String name, int browsing) {
    List<Mix.Share> all = new ArrayList<>(Draws.group(browsing, BROWSING_OF_BIDDERS));
    all.addAll(Draws.group(100 - browsing, BIDDING));
    return new Mix(name, all);
  }

  @Override
  public Interaction next(RandomGenerator random) {
    String kind = mix().draw(random);
    Script script = new Script();
    long item = activeItem(random);
    switch (kind) {
      case "SearchItemsInCategory" -> search(script, random, /* region= */ false);
      case "SearchItemsInRegion" -> search(script, random, /* region= */ true);
      case "ViewItem" ->
          script.read(items, item).read(users, userOf(item)).readLeaf(bids, bidOf(item));
      case "ViewUserInfo" -> {
        long user = random.nextLong(users.rows());
        script.read(users, user);
        together(script, comments, (double) user / users.rows(), random.nextInt(21));
      }
      case "ViewBidHistory" -> bidHistory(script, random, item);
      case "PutBid", "BuyNow" -> {
        script.read(users, bidder(random)).read(items, item);
        together(script, bids, (double) item / items.rows(), random.nextInt(1, 21));
      }
      case "StoreBid" -> script.append(bids).change(items, item);
      case "StoreBuyNow" -> script.append(buyNow).change(items, item);
      case "StoreComment" -> script.append(comments).change(users, bidder(random));
      case "RegisterItem" -> script.append(items);
      case "RegisterUser" -> script.append(users);
      case "AboutMe" -> aboutMe(script, random);
      default -> {
        // Forms and pages that are always in memory.
      }
    }
    return new Interaction(kind, script.steps());
  }

  /** A page of results of a category; half of its items lie beside the one before. */
  private void search(Script script, RandomGenerator random, boolean region) {
    long category = random.nextInt(CATEGORIES);
    long page = Draws.geometric(random, RESULT_PAGES);
    script.readLeaf(items, items.rowAt((category + random.nextDouble()) / CATEGORIES));
    int pairs = ITEMS_OF_PAGE / 4;
    for (int i = 0; i < ITEMS_OF_PAGE - pairs; i++) {
      long place = (category << 40) + page * ITEMS_OF_PAGE + i;
      script.scan(items, Draws.scattered(place, items.loadedPages() - 1), i < pairs ? 2 : 1);
    }
    for (int i = 0; region && i < ITEMS_OF_PAGE; i++) {
      script.read(users, random.nextLong(users.rows()));
    }
  }

  private void bidHistory(Script script, RandomGenerator random, long item) {
    script.read(items, item);
    int count = random.nextInt(21);
    together(script, bids, (double) item / items.rows(), count);
    for (int i = 0; i < count; i++) {
      script.read(users, random.nextLong(users.rows()));
    }
  }

  /** What a bidder has sold, bought and said lies anywhere, and is the same each time. */
  private void aboutMe(Script script, RandomGenerator random) {
    long me = bidder(random);
    script.read(users, me);
    List<Table> kinds = List.of(items, bids, comments);
    long many = Draws.scattered(me, MOST_OF_BIDDER + 1);
    for (int i = 0; i < many; i++) {
      Table table = kinds.get(i % kinds.size());
      script.read(table, Draws.scattered(me + ((long) i << 32), table.rows()));
    }
  }

  /** Those who are logged in are few. */
  private long bidder(RandomGenerator random) {
    return Draws.scattered(random.nextInt(BIDDERS), users.rows());
  }

  /** Rows that belong to one thing and lie together. */
  private static void together(Script script, Table table, double part, int rows) {
    if (rows > 0) {
      script.readRows(table, table.rowAt(part), rows);
    }
  }

  /** Active items are the newest, the popular ones scattered among them. */
  private long activeItem(RandomGenerator random) {
    long active = Math.max(1, (long) (items.rows() * ACTIVE_PART));
    return items.rows() - 1 - Draws.scattered(popular.draw(random), active);
  }

  private long userOf(long item) {
    return Draws.scattered(item, users.rows());
  }

  private long bidOf(long item) {
    return bids.rowAt((double) item / items.rows());
  }
}
