package dev.upcall.sim.store.plan;

import dev.upcall.access.TableEdits;
import dev.upcall.access.TableView;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.LockConfig;
import dev.upcall.config.RetryConfig;
import dev.upcall.content.Kind;
import dev.upcall.content.Times;
import dev.upcall.fsm.Faults;
import dev.upcall.history.TransactionHistory;
import dev.upcall.history.TransactionRecord;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.TransactionConfig;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TableEntries;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.TransactionStep;
import dev.upcall.txn.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Clients on a simulated machine that read and write a few registers, in transactions and by
 * changes and looks that stand alone, and record what they see. Registers are properties of the
 * store and entries of a table; what is written is a number that is never written again, or they
 * are deleted, and made again by the next who writes.
 */
final class SimHistory {
  /** How the names of registers that are properties begin. */
  static final String PROPERTY = "property ";

  /** How those of entries begin. */
  static final String ENTRY = "entry ";

  private static final int REGISTERS = 6;

  /** Registers from this one on are entries of a table. */
  private static final int FIRST_ENTRY = 3;

  private static final long TABLE = 50;
  private static final int CLIENTS = 5;
  private static final int MOST_STEPS = 6;
  private static final long PAUSE_NANOS = 100_000;

  private final SplittableRandom random;
  private final SimWorld world;
  private final StoreFixture fixture;
  private final TransactionHistory history = new TransactionHistory();
  private long values;
  private int left;

  private SimHistory(long seed, Faults faults) {
    random = new SplittableRandom(seed);
    world = SimWorld.ofBlocks(seed, StoreFixture.tinyLayout().maxBlocks());
    world.closesUnchecked("the simulator's lifetimes do");
    StoreFixture.format(world);
    StoreOptions usual = StoreFixture.tinyOptions(seed);
    LockConfig locks = new LockConfig(SimPlan.pick(random, 50_000, 5_000_000), 100, 1000);
    TransactionConfig limits =
        new TransactionConfig(100, 1_000_000_000, locks, RetryConfig.DEFAULT);
    fixture =
        StoreFixture.tryOpen(
            world,
            new StoreOptions(
                usual.config().withTransactions(limits),
                usual.capBlocks(),
                usual.treeFanOut(),
                usual.random()),
            faults);
  }

  /** What clients of a store, broken on purpose or not, saw. */
  static List<TransactionRecord> record(long seed, Faults faults) {
    return new SimHistory(seed, faults).run();
  }

  private List<TransactionRecord> run() {
    found();
    left = 60;
    int[] working = {CLIENTS};
    for (int client = 0; client < CLIENTS; client++) {
      new Client(client, () -> working[0]--).next();
    }
    world.runUntil(() -> working[0] == 0);
    fixture.close();
    return history.all();
  }

  /** Gives each register its first value. */
  private void found() {
    List<TransactionRecord.Access> writes = new ArrayList<>();
    world.<Unit>get(
        port ->
            fixture
                .store()
                .<Unit>changeSegment(
                    (view, out) -> {
                      out.putInode(table());
                      TableEdits entries = edits(view);
                      entries.make(TABLE);
                      for (int register = 0; register < REGISTERS; register++) {
                        long value = ++values;
                        put(entries, out, register, value);
                        writes.add(new TransactionRecord.Write(key(register), value));
                      }
                      entries.emit(out, table -> true);
                      return Completion.done();
                    },
                    Durability.SYNC,
                    port));
    history.initially(fixture.store().info().scn(), writes);
  }

  private static Inode table() {
    return new Inode(
        TABLE,
        Kind.TABLE,
        1,
        0644,
        0,
        0,
        new Times(0, 0, 0),
        0,
        1,
        Collections.emptySortedMap(),
        Layout.EMPTY);
  }

  private static String key(int register) {
    return (register < FIRST_ENTRY ? PROPERTY : ENTRY) + register;
  }

  private static long value(View view, int register) {
    byte[] found =
        register < FIRST_ENTRY
            ? view.get(StoreTree.PROPERTIES, TreeKeys.of(register))
            : inline(new TableView(view, TABLE).value(TreeKeys.of(register)));
    return found == null ? TransactionRecord.ABSENT : TreeKeys.id(found);
  }

  private static byte @Nullable [] inline(TableEntries.@Nullable Value value) {
    return value instanceof TableEntries.Value.Inline(byte[] bytes) ? bytes : null;
  }

  /** The values of all entries of the table, by their registers: of one page. */
  private static long[] entries(View view) {
    TableView table = new TableView(view, TABLE);
    long[] seen = new long[REGISTERS];
    Arrays.fill(seen, TransactionRecord.ABSENT);
    TableView.Page page = table.page(TableView.Range.ALL, /* ascends= */ true, REGISTERS, 4096);
    for (TableView.Entry entry : page.entries()) {
      byte[] value = Invariants.present(inline(entry.value()), "a small value");
      seen[(int) TreeKeys.number(entry.key(), 0)] = TreeKeys.id(value);
    }
    return seen;
  }

  /** A new one, or a deletion. */
  private long value() {
    return random.nextInt(3) == 0 ? TransactionRecord.ABSENT : ++values;
  }

  private TableEdits edits(View view) {
    return new TableEdits(view, fixture.store().access().faults());
  }

  private void put(View view, Mutations out, int register, long value) {
    TableEdits entries = edits(view);
    put(entries, out, register, value);
    entries.emit(out, table -> true);
  }

  private static void put(TableEdits entries, Mutations out, int register, long value) {
    byte[] name = TreeKeys.of(register);
    boolean isGone = value == TransactionRecord.ABSENT;
    if (register >= FIRST_ENTRY) {
      if (isGone) {
        entries.at(TABLE, name).remove();
      } else {
        entries.at(TABLE, name).put(TreeKeys.of(value));
      }
    } else if (isGone) {
      out.remove(StoreTree.PROPERTIES, name);
    } else {
      out.put(StoreTree.PROPERTIES, name, TreeKeys.of(value));
    }
  }

  /** An entry that is not there cannot be removed. */
  private static boolean isChange(int register, long before, long after) {
    return register < FIRST_ENTRY
        || before != TransactionRecord.ABSENT
        || after != TransactionRecord.ABSENT;
  }

  private long now() {
    return world.clock().monotonicNanos();
  }

  /** One after the other. */
  private final class Client {
    private final int number;
    private final Runnable over;
    private TransactionHistory.Open record;
    private Transaction transaction;
    private int steps;

    Client(int number, Runnable over) {
      this.number = number;
      this.over = over;
    }

    void next() {
      if (left-- <= 0) {
        over.run();
      } else {
        pause(this::begin);
      }
    }

    private void pause(Runnable then) {
      world.reactor().after(random.nextLong(PAUSE_NANOS), then);
    }

    private void begin() {
      record = history.begin(number, now());
      switch (random.nextInt(6)) {
        case 0 -> look();
        case 1 -> change();
        default -> transact();
      }
    }

    /** Reads all registers at once. */
    private void look() {
      fixture
          .store()
          .<long[]>query(
              view -> {
                long[] seen = new long[REGISTERS + 1];
                for (int register = 0; register < REGISTERS; register++) {
                  seen[register] = value(view, register);
                }
                seen[REGISTERS] = view.scn();
                return Completion.done(seen);
              },
              completion -> {
                long[] seen = ((Completion.Done<long[]>) completion).value();
                for (int register = 0; register < REGISTERS; register++) {
                  record.read(key(register), seen[register]);
                }
                record.snapshot(seen[REGISTERS]);
                record.committed(seen[REGISTERS], /* durable= */ false, now());
                next();
              });
    }

    /** Reads and writes one register by a change that stands alone. */
    private void change() {
      int register = random.nextInt(REGISTERS);
      long written = value();
      long[] seen = new long[2];
      fixture
          .store()
          .<Unit>change(
              (view, out) -> {
                seen[0] = value(view, register);
                seen[1] = view.scn();
                put(view, out, register, written);
                return Completion.done();
              },
              Durability.SYNC,
              completion -> {
                if (completion instanceof Completion.Done<Unit>) {
                  record.snapshot(seen[1]);
                  record.read(key(register), seen[0]);
                  boolean isChange = isChange(register, seen[0], written);
                  if (isChange) {
                    record.wrote(key(register), written);
                  }
                  record.committed(seen[1] + (isChange ? 1 : 0), /* durable= */ true, now());
                } else {
                  record.rolledBack(now());
                }
                next();
              });
    }

    private void transact() {
      fixture
          .store()
          .begin(
              completion -> {
                transaction = ((Completion.Done<Transaction>) completion).value();
                record.snapshot(transaction.scn());
                steps = 1 + random.nextInt(MOST_STEPS);
                pause(this::step);
              });
    }

    private void step() {
      int register = random.nextInt(REGISTERS);
      if (steps-- == 0) {
        end();
      } else if (random.nextBoolean()) {
        if (register == FIRST_ENTRY) {
          scan();
        } else {
          read(register);
        }
      } else {
        write(register, value());
      }
    }

    private void read(int register) {
      transaction.<Long>query(
          view -> Completion.done(value(view, register)),
          completion -> {
            record.read(key(register), ((Completion.Done<Long>) completion).value());
            pause(this::step);
          });
    }

    /** Reads all entries at once. */
    private void scan() {
      transaction.<long[]>query(
          view -> Completion.done(entries(view)),
          completion -> {
            long[] seen = ((Completion.Done<long[]>) completion).value();
            for (int register = FIRST_ENTRY; register < REGISTERS; register++) {
              record.read(key(register), seen[register]);
            }
            pause(this::step);
          });
    }

    private void write(int register, long value) {
      long[] seen = new long[1];
      SegmentChange<Unit> change =
          (view, out) -> {
            seen[0] = value(view, register);
            put(view, out, register, value);
            return Completion.done();
          };
      transaction.change(
          new TransactionStep<>(key(register), change, List.of()),
          completion -> {
            switch (completion) {
              case Completion.Done<Unit> _ -> {
                if (isChange(register, seen[0], value)) {
                  record.wrote(key(register), value);
                }
                pause(this::step);
              }
              case Completion.Failed<Unit>(Failure.LockTimeout _) -> pause(this::step);
              case Completion.Failed<Unit> _ -> {
                record.rolledBack(now());
                next();
              }
            }
          });
    }

    private void end() {
      if (random.nextInt(8) == 0) {
        transaction.rollback();
        record.rolledBack(now());
        next();
        return;
      }
      Durability durability = random.nextBoolean() ? Durability.SYNC : Durability.ASYNC;
      transaction.commit(
          durability,
          completion -> {
            switch (completion) {
              case Completion.Done<Long>(Long scn) ->
                  record.committed(scn, durability == Durability.SYNC, now());
              case Completion.Failed<Long> _ -> record.rolledBack(now());
            }
            next();
          });
    }
  }
}
