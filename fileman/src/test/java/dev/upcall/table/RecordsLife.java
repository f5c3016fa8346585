package dev.upcall.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FilesFixture;
import dev.upcall.FsmUpcall;
import dev.upcall.Listing;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.request.Change;
import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.KeyRange;
import dev.upcall.request.Look;
import dev.upcall.request.TablePage;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Some lives of a store with records and indexes, from one seed: several callers, each with records
 * that it opened for itself, append, update, delete, alone and in transactions with a file, build
 * an index, and look at snapshots; the machine dies, or the store is closed. In each snapshot,
 * after each death and at each end, every record has exactly its entries in the indexes and they
 * have no others; and no id is given twice.
 */
final class RecordsLife {
  private static final StorePath RECORDS = StorePath.of("/records");
  private static final int CUSTOMERS = 5;
  private static final int NUMBERS = 40;
  private static final int OPENINGS = 500;

  /** No file goes with such a record. */
  private static final int NO_FILE = -1;

  private static final long PAUSE_NANOS = 20_000_000;
  private static final int LIVES = 3;
  private static final int TURNS = 400_000;

  private static final Codec<Order> ORDER =
      Codecs.triple(Codecs.INT, Codecs.INT, Codecs.INT)
          .map(
              all -> new Order(all.first(), all.second(), all.third()),
              order -> new Triple<>(order.customer(), order.number(), order.stamp()));

  /** There from the beginning. */
  private static final Index<Order, Integer> BY_NUMBER =
      Index.unique("/by-number", Codecs.INT, Order::number);

  /** Built some time. */
  private static final Index<Order, Integer> BY_CUSTOMER =
      Index.of("/by-customer", Codecs.INT, Order::customer);

  private final Fault fault;
  private final SplittableRandom random;
  private FilesFixture fixture;
  private int stamp;

  /** Ids that were given since the machine died last, whatever became of them. */
  private final TreeSet<Long> given = new TreeSet<>();

  /** Of records that were acknowledged, and may be lost. */
  private final TreeSet<Long> early = new TreeSet<>();

  /** Of records that were acknowledged and durable, or seen behind a death. */
  private final TreeSet<Long> durable = new TreeSet<>();

  /** Of records that somebody has asked to delete. */
  private final TreeSet<Long> doomed = new TreeSet<>();

  /** Of records whose end was acknowledged and durable. */
  private final TreeSet<Long> gone = new TreeSet<>();

  /**
   * A record.
   *
   * @param stamp of the file that came with it, or {@link #NO_FILE}
   */
  private record Order(int customer, int number, int stamp) {}

  /** Ways in which records are broken on purpose. */
  enum Fault {
    /** They are not. */
    SOUND,
    /** The entry of an index stays when its record changes or goes. */
    INDEX_ENTRY_STAYS,
    /** Entries of indexes are changed in a commit of their own, behind that of the record. */
    INDEX_IN_A_COMMIT_OF_ITS_OWN,
    /** Ids are taken, and the table does not note it. */
    ID_GIVEN_TWICE,
    /** Records come in while an index is built. */
    RECORD_PAST_A_BUILDING
  }

  RecordsLife(long seed, Fault fault) {
    this.fault = fault;
    this.random = new SplittableRandom(seed);
    this.fixture = FilesFixture.create(seed);
  }

  /** All lives. */
  void run() {
    for (int life = 0; life < LIVES; life++) {
      if (!live()) {
        fixture = fixture.crash();
        given.clear();
      } else {
        fixture.<Unit>get(fixture.files()::flush);
        durable.addAll(early);
        judge();
        fixture = random.nextBoolean() ? fixture.reopen() : fixture;
      }
      early.clear();
      judge();
    }
  }

  /** One life; whether it went on to its end. */
  private boolean live() {
    SimCallers callers = new SimCallers(fixture.world(), random.split());
    int many = 1 + random.nextInt(4);
    for (int number = 0; number < many; number++) {
      SplittableRandom own = random.split();
      int caller = number;
      callers.add(waits -> new Caller(caller, waits, own).work());
    }
    boolean dies = random.nextInt(3) > 0;
    boolean ended = callers.run(dies ? random.nextInt(600) : TURNS);
    assertTrue(ended || dies, "callers wait for ever");
    return ended;
  }

  private FsmUpcall face(SimCallers.Waits waits) {
    return SimFace.of(fixture.files(), waits, this::changed);
  }

  // ------------------------------------------------------------------ what is broken

  private Object changed(Change<?> change, Function<Change<?>, Object> ask) {
    if (!(change instanceof Change.Batch(List<FileRequest> requests, Durability durability))) {
      return ask.apply(change);
    }
    return switch (fault) {
      case SOUND -> ask.apply(change);
      case INDEX_ENTRY_STAYS ->
          ask.apply(
              new Change.Batch(
                  requests.stream()
                      .filter(
                          each -> !(isOfIndex(each) && each instanceof TableRequest.RemoveEntry))
                      .toList(),
                  durability));
      case INDEX_IN_A_COMMIT_OF_ITS_OWN -> {
        // The index itself comes with the records: only what is in it comes later.
        Map<Boolean, List<FileRequest>> byPlace =
            requests.stream()
                .collect(Collectors.partitioningBy(each -> isOfIndex(each) && isEntry(each)));
        List<FileRequest> records = byPlace.get(false);
        List<FileRequest> entries = byPlace.get(true);
        Object done = ask.apply(new Change.Batch(records, durability));
        yield entries.isEmpty() ? done : ask.apply(new Change.Batch(entries, durability));
      }
      case ID_GIVEN_TWICE ->
          ask.apply(
              new Change.Batch(
                  requests.stream().map(RecordsLife::withoutTaking).toList(), durability));
      case RECORD_PAST_A_BUILDING ->
          ask.apply(
              new Change.Batch(
                  requests.stream().filter(each -> requests.size() == 1 || !isGuard(each)).toList(),
                  durability));
    };
  }

  private static boolean isOfIndex(FileRequest request) {
    return request instanceof TableRequest entry && !entry.path().equals(RECORDS);
  }

  private static boolean isEntry(FileRequest request) {
    return request instanceof TableRequest.PutEntry || request instanceof TableRequest.RemoveEntry;
  }

  private static boolean isGuard(FileRequest request) {
    return request instanceof TableRequest.RemoveEntry guard && guard.expect() == Expect.ABSENT;
  }

  /** The number of the next id stays what it was. */
  private static FileRequest withoutTaking(FileRequest request) {
    return request
                instanceof
                TableRequest.PutEntry(StorePath path, byte[] key, var value, Expect expect)
            && expect instanceof Expect.Value(byte[] before)
            && id(key) == 0
            && before.length == value.length
        ? new TableRequest.PutEntry(path, key, before, expect)
        : request;
  }

  // ------------------------------------------------------------------ one caller

  /** One of those who work at the same time. */
  private final class Caller {
    private final int number;
    private final SimCallers.Waits waits;
    private final FsmUpcall store;
    private final SplittableRandom random;
    private Records<Order> records;

    Caller(int number, SimCallers.Waits waits, SplittableRandom random) {
      this.number = number;
      this.waits = waits;
      this.store = face(waits);
      this.random = random;
      this.records = open(store);
    }

    void work() {
      for (int left = 3 + random.nextInt(12); left > 0; left--) {
        try {
          step();
        } catch (UpcallException refused) {
          check(refused);
          if (refused instanceof UpcallException.Invalid) {
            records = open(store); // with the index that somebody builds, or has built
          }
        }
      }
    }

    private void step() {
      switch (random.nextInt(16)) {
        case 0, 1, 2 -> buildOrLook();
        case 3 -> store.checkpoint();
        case 4, 5, 6, 7, 8, 9 -> inATransaction();
        default -> alone();
      }
    }

    private void buildOrLook() {
      if (number == 0 && !store.exists(BY_CUSTOMER.path())) {
        records = records.build(BY_CUSTOMER);
        return;
      }
      try (UpcallSnapshot snapshot = store.snapshot()) {
        agree(snapshot);
      }
    }

    private void alone() {
      Durability durability = random.nextBoolean() ? Durability.SYNC : Durability.ASYNC;
      List<Long> before = List.copyOf(early);
      Done done = change(records.with(durability), NO_FILE);
      acknowledged(durability, before, done);
    }

    private void inATransaction() {
      boolean commits = random.nextInt(4) > 0;
      Durability durability = random.nextBoolean() ? Durability.SYNC : Durability.ASYNC;
      List<Long> before = List.copyOf(early);
      int file = random.nextBoolean() ? ++stamp : NO_FILE;
      Done all = new Done();
      try (UpcallTransaction transaction = store.begin()) {
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
          try {
            all.add(change(records.in(transaction), file));
          } catch (UpcallException.AlreadyExists refused) {
            // A unique key is taken; the transaction goes on.
          }
        }
        if (file != NO_FILE) {
          byte[] content = Integer.toString(file).getBytes(StandardCharsets.UTF_8);
          all.isAny = true;
          transaction.ask(new Change.Write(file(number), content, PutOptions.DEFAULT));
        }
        if (random.nextBoolean()) {
          agree(transaction); // with its own changes on top
          pause();
        }
        if (!commits) {
          return;
        }
        transaction.commit(durability);
      }
      acknowledged(durability, before, all);
    }

    /** Others go on meanwhile. */
    private void pause() {
      long nanos = random.nextLong(PAUSE_NANOS);
      waits.<Unit>await(
          port -> fixture.world().reactor().after(nanos, () -> port.complete(Completion.done())));
    }

    private Done change(Records<Order> where, int file) {
      Done done = new Done();
      Order order =
          new Order(
              random.nextInt(CUSTOMERS),
              random.nextInt(NUMBERS),
              file == NO_FILE ? NO_FILE : 8 * file + number);
      long some = 1 + random.nextLong(Math.max(3, highest() + 2));
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> {
          long id = where.append(order);
          given(id);
          done.appended.add(id);
          done.isAny = true;
        }
        case 3, 4 ->
            done.isAny = where.update(some, new Order(order.customer(), order.number(), NO_FILE));
        default -> {
          doomed.add(some);
          if (where.delete(some)) {
            done.deleted.add(some);
            done.isAny = true;
          }
        }
      }
      return done;
    }
  }

  /** The outcome of a change. */
  private static final class Done {
    private final List<Long> appended = new ArrayList<>();
    private final List<Long> deleted = new ArrayList<>();

    /** Whether there was anything to commit. */
    private boolean isAny;

    void add(Done other) {
      isAny |= other.isAny;
      appended.addAll(other.appended);
      deleted.addAll(other.deleted);
    }
  }

  private long highest() {
    return given.isEmpty() ? durable.isEmpty() ? 0 : durable.last() : given.last();
  }

  private void given(long id) {
    assertTrue(given.add(id) && !durable.contains(id), () -> "the id " + id + " was given twice");
  }

  /**
   * A change was acknowledged.
   *
   * @param before what was acknowledged when it was asked for: durable with it
   */
  private void acknowledged(Durability durability, List<Long> before, Done done) {
    if (durability == Durability.ASYNC) {
      early.addAll(done.appended);
    } else if (done.isAny) {
      durable.addAll(before);
      durable.addAll(done.appended);
      gone.addAll(done.deleted);
    }
  }

  private static void check(UpcallException refused) {
    boolean isOrdinary =
        switch (refused.failure()) {
          case Failure.AlreadyExists _,
              Failure.Conflict _,
              Failure.Deadlock _,
              Failure.LockTimeout _,
              Failure.VolumeFull _,
              Failure.TooLarge _,
              Failure.Busy _ ->
              true;
          case Failure.Invalid(String text) -> text.contains("index");
          default -> false;
        };
    assertTrue(isOrdinary, () -> "refused: " + refused);
  }

  /** With the indexes that there are, which others may be about to change. */
  private static Records<Order> open(FsmUpcall store) {
    UpcallException last = null;
    for (int attempt = 0; attempt < OPENINGS; attempt++) {
      try {
        return store.records(
            RECORDS,
            ORDER,
            store.exists(BY_CUSTOMER.path())
                ? List.of(BY_NUMBER, BY_CUSTOMER)
                : List.of(BY_NUMBER));
      } catch (UpcallException.Invalid | UpcallException.LockTimeout changedMeanwhile) {
        last = changedMeanwhile;
      }
    }
    throw new AssertionError("records that do not open", last);
  }

  // ------------------------------------------------------------------ the judge

  private void judge() {
    FsmUpcall store =
        face(
            new SimCallers.Waits() {
              @Override
              public <T> Completion<T> await(Consumer<CompletionPort<T>> request) {
                return fixture.await(request);
              }
            });
    Records<Order> records = open(store);
    TreeMap<Long, Order> there = agree(store);
    assertEquals(there.size(), records.count(), "the number of records");
    for (long id : durable) {
      assertTrue(there.containsKey(id) || doomed.contains(id), () -> "record " + id + " is lost");
    }
    for (long id : gone) {
      assertTrue(!there.containsKey(id), () -> "record " + id + " is back");
    }
    durable.addAll(there.keySet());
    for (int caller = 0; caller < 4; caller++) {
      compareFile(store, caller, there);
    }
  }

  /** A record of a transaction with a file is not there without it. */
  private static void compareFile(UpcallReads store, int caller, TreeMap<Long, Order> there) {
    int newest =
        store.exists(file(caller)) ? Integer.parseInt(store.readString(file(caller))) : NO_FILE;
    there.forEach(
        (id, order) ->
            assertTrue(
                order.stamp() == NO_FILE
                    || order.stamp() % 8 != caller
                    || order.stamp() / 8 <= newest,
                () -> "record %d without file %d".formatted(id, order.stamp() / 8)));
  }

  private static String file(int caller) {
    return "/file" + caller;
  }

  /** All records of one moment, which are exactly those that the indexes name. */
  private static TreeMap<Long, Order> agree(UpcallReads reads) {
    TreeMap<Long, Order> there = new TreeMap<>();
    if (!reads.exists(RECORDS)) {
      return there;
    }
    for (TablePage.Entry entry : entries(reads, RECORDS)) {
      if (id(entry.key()) != 0) {
        there.put(id(entry.key()), ORDER.decode(entry.value()));
      }
    }
    TreeMap<byte[], Long> numbers = new TreeMap<>(Arrays::compareUnsigned);
    TreeMap<byte[], Long> customers = new TreeMap<>(Arrays::compareUnsigned);
    there.forEach(
        (id, order) -> {
          numbers.put(Codecs.INT.encode(order.number()), id);
          byte[] customer = Codecs.INT.encode(order.customer());
          customers.put(
              ByteBuffer.allocate(customer.length + Long.BYTES).put(customer).putLong(id).array(),
              id);
        });
    assertEquals(there.size(), numbers.size(), () -> "a number twice in " + there);
    compare(reads, BY_NUMBER, numbers, entry -> id(entry.value()));
    compare(reads, BY_CUSTOMER, customers, entry -> id(lastBytes(entry.key())));
    return there;
  }

  private static void compare(
      UpcallReads reads,
      Index<Order, ?> index,
      TreeMap<byte[], Long> expected,
      Function<TablePage.Entry, Long> id) {
    if (!reads.exists(index.path())) {
      return;
    }
    List<String> found = new ArrayList<>();
    for (TablePage.Entry entry : entries(reads, index.path())) {
      found.add(Arrays.toString(entry.key()) + "=" + id.apply(entry));
    }
    List<String> wanted = new ArrayList<>();
    expected.forEach((key, value) -> wanted.add(Arrays.toString(key) + "=" + value));
    assertEquals(wanted, found, () -> "the entries of " + index.path());
  }

  private static List<TablePage.Entry> entries(UpcallReads reads, StorePath table) {
    List<TablePage.Entry> all = new ArrayList<>();
    Optional<Look.Entries> next =
        Optional.of(new Look.Entries(table, KeyRange.ALL, Listing.Direction.ASCENDING, 16));
    while (next.isPresent()) {
      TablePage page = reads.ask(next.get());
      all.addAll(page.entries());
      next = next.get().next(page);
    }
    return all;
  }

  private static byte[] lastBytes(byte[] key) {
    return Arrays.copyOfRange(key, key.length - Long.BYTES, key.length);
  }

  private static long id(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong();
  }
}
