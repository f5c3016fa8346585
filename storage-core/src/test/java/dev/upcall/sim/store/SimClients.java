package dev.upcall.sim.store;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentStager;
import dev.upcall.content.Loan;
import dev.upcall.content.SlowLoan;
import dev.upcall.content.StagedContent;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.Stager;
import dev.upcall.segment.layout.Inode;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.store.model.SimDuplicates;
import dev.upcall.sim.store.model.SimFileNames;
import dev.upcall.sim.store.model.SimModel;
import dev.upcall.sim.store.model.SimTables;
import dev.upcall.sim.store.model.SimTranscript;
import dev.upcall.sim.store.plan.SimHabits;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Query;
import dev.upcall.txn.Store;
import dev.upcall.txn.View;
import dev.upcall.txn.dedup.DedupStager;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Clients of one life of a store: a number of requests at once, and what each may expect. */
final class SimClients {
  static final long FIRST_ID = 100;

  private final SimWorld world;
  private final Store store;
  private final SimModel model;
  private final SimHabits habits;
  private final SplittableRandom random;
  private final SimStamps stamps;
  private final boolean faulty;
  private final SimChanges changes;
  private final SimHandles handles;
  private final SimTransactions transactions;
  private final SimTranscript transcript;
  private final SimLooker looker;
  private int budget;
  private int busy;
  private int holders;
  private int done;
  private boolean closing;

  /** What clients draw from. */
  record Means(SimHabits habits, SimStamps stamps, SimTranscript transcript) {}

  /** Counts up over all lives, so that every change differs from every other. */
  static final class SimStamps {
    private long last;

    long next() {
      return ++last;
    }
  }

  /**
   * Clients.
   *
   * @param faulty whether the device may fail, so that changes may be refused
   */
  SimClients(
      SimWorld world,
      Store store,
      SimModel model,
      SimHabits habits,
      SplittableRandom random,
      SimStamps stamps,
      boolean faulty) {
    this.world = world;
    this.store = store;
    this.model = model;
    this.habits = habits;
    this.random = random;
    this.stamps = stamps;
    this.faulty = faulty;
    model.of(store);
    this.transcript = new SimTranscript(store, model);
    this.looker = new SimLooker(world, store, model);
    this.changes = new SimChanges(this, store, model, stamps, random);
    this.handles = new SimHandles(this, store, model, habits, random.split());
    this.transactions =
        new SimTransactions(
            this, store, model, new Means(habits, stamps, transcript), random.split());
  }

  /** Makes so many requests. */
  void start(int requests) {
    budget = requests;
    for (int i = 0; i < habits.clients(); i++) {
      next();
    }
  }

  /** Whether all requests were made and answered. */
  boolean isIdle() {
    return budget == 0 && busy == 0;
  }

  /** The life is over: gives how many transactions were judged, those of one step included. */
  int judge() {
    return transcript.judge();
  }

  int answered() {
    return done;
  }

  /** From now on being refused is right, and nobody begins to read or to write content. */
  void closing() {
    closing = true;
    model.locks().close();
  }

  /** The store was closed. */
  void closed() {
    looker.closed();
  }

  /** Whether nobody holds what has to be let go before a store may be closed. */
  boolean mayClose() {
    return holders == 0;
  }

  private void next() {
    if (budget > 0) {
      budget--;
      busy++;
      pause(this::request);
    }
  }

  /** Goes on, now or later, with what follows an answer. */
  void pause(Runnable then) {
    world.answered();
    looker.soon();
    long nanos = random.nextInt(3) == 0 ? random.nextLong(habits.pauseNanos()) : 0;
    world.reactor().after(nanos, then);
  }

  private void end() {
    busy--;
    done++;
    next();
  }

  private void request() {
    switch (habits.draw(habits.sum(), random)) {
      case PUT -> many(1, 0);
      case MANY -> many(random.nextInt(4), random.nextInt(3));
      case REMOVE -> many(0, 1);
      case TOUCH -> changes.touch(id());
      case PROPERTY -> changes.property(habits.property(random), habits.orNone(stamps.next()));
      case READ -> read(id());
      case GIVE_UP -> giveUp();
      case CHECKPOINT -> {
        int applied = model.applied();
        store.checkpoint(completion -> ended(completion, applied));
      }
      case HANDLE -> handle(id());
      case FLUSH -> {
        int applied = model.applied();
        store.flush(completion -> ended(completion, applied));
      }
      case SNAPSHOT -> snapshot();
      case TRANSACTION -> {
        if (mayHold()) {
          transactions.run(this::letGo);
        }
      }
      case NAMED_SNAPSHOT -> namedSnapshot();
      case CLONE -> changes.cloneOf(id(), id());
      case ENTRIES -> tables(habits.entries(random, stamps::next));
      case COPY_RANGE -> {
        if (mayHold()) {
          changes.copy(id(), id(), this::letGo);
        }
      }
    }
  }

  private void tables(List<SimTables.Op> ops) {
    if (SimTables.contents(ops).isEmpty()) {
      changes.tables(ops, Map.of(), habits.mixed());
    } else if (mayHold()) {
      new SimValues(store, habits, SimTables.contents(ops))
          .stage(
              staged -> {
                switch (staged) {
                  case Completion.Failed<Map<Long, StagedContent>>(Failure failure) -> {
                    refused(failure);
                    letGo();
                  }
                  case Completion.Done<Map<Long, StagedContent>>(var contents) -> {
                    changes.tables(ops, contents, habits.mixed());
                    holders--; // as for the content of files
                  }
                }
              });
    }
  }

  long id() {
    return FIRST_ID + random.nextInt(habits.files());
  }

  Durability durability() {
    return random.nextInt(100) < habits.asyncPercent() ? Durability.ASYNC : Durability.SYNC;
  }

  /** Whether the last requests are on their way: what they leave open, closing has to end. */
  private boolean closesSoon() {
    return budget == 0;
  }

  long now() {
    return store.dispatcher().upcallNanos();
  }

  void changed(Completion<?> completion, Durability durability, int number) {
    noted(completion, durability, number);
    end();
  }

  /** A change of a client that goes on has ended. */
  void noted(Completion<?> completion, Durability durability, int number) {
    if (durability == Durability.ASYNC && completion instanceof Completion.Done<?>) {
      model.acknowledgedEarly(number);
    }
    if (completion instanceof Completion.Done<?>) {
      looker.heard(model.scnOf(number));
    }
    answered(completion, durability == Durability.SYNC ? number : 0);
  }

  private void ended(Completion<?> completion, int durable) {
    answered(completion, durable);
    end();
  }

  private void answered(Completion<?> completion, int durable) {
    switch (completion) {
      case Completion.Done<?> ignored -> model.require(durable);
      case Completion.Failed<?> failed -> refused(failed.failure());
    }
  }

  void refused(Failure failure) {
    boolean expected =
        switch (failure) {
          case Failure.VolumeFull full -> true;
          case Failure.Busy busyFailure -> true;
          case Failure.TooLarge large -> true;
          case Failure.LockTimeout late -> true;
          case Failure.Closed closed -> closing;
          case Failure.ReadOnly readOnly -> faulty;
          case Failure.Device device -> faulty;
          case Failure.Corrupt corrupt -> faulty;
          default -> false;
        };
    if (!expected) {
      throw new AssertionError("refused: " + failure.message());
    }
  }

  // Content.

  private void many(int puts, int removes) {
    TreeSet<Long> ids = new TreeSet<>();
    for (int i = 0; i < puts; i++) {
      ids.add(id());
    }
    TreeSet<Long> gone = new TreeSet<>();
    for (int i = 0; i < removes; i++) {
      long id = id();
      if (!ids.contains(id)) {
        gone.add(id);
      }
    }
    if (mayHold()) {
      stageNext(new ArrayList<>(ids), new ArrayList<>(), gone);
    }
  }

  private void stageNext(List<Long> left, List<SimChanges.New> staged, TreeSet<Long> gone) {
    if (left.isEmpty()) {
      changes.putAndRemove(staged, gone);
      // The change holds the content from here on, and the store waits for the change.
      holders--;
      return;
    }
    if (store.refusesContent() != null) {
      staged.forEach(each -> each.staged().discard());
      letGo();
      return;
    }
    long id = left.removeFirst();
    SimDuplicates.Drawn again =
        habits.duplicates() == 0 || random.nextInt(4) == 0
            ? null
            : SimDuplicates.draw(habits.duplicates(), random);
    long content = again == null ? habits.content(stamps.next(), random) : again.number();
    int size = again == null ? habits.size(random) : again.bytes().length;
    byte[] known = again == null ? null : again.bytes();
    new Staging(
            known == null ? StoreFixture.bytes(content, size) : known,
            result -> {
              switch (result) {
                case Completion.Failed<StagedContent> failed -> {
                  refused(failed.failure());
                  staged.forEach(each -> each.staged().discard());
                  letGo();
                }
                case Completion.Done<StagedContent> ok -> {
                  staged.add(new SimChanges.New(id, content, size, known, ok.value()));
                  pause(() -> stageNext(left, staged, gone));
                }
              }
            })
        .next();
  }

  /** Appends pieces of random length, with pauses. */
  private final class Staging {
    private final byte[] bytes;
    private final dev.upcall.completion.CompletionPort<StagedContent> port;
    private final ContentStager stager = begin();
    private final Loan loan = new Loan();
    private int at;

    Staging(byte[] bytes, dev.upcall.completion.CompletionPort<StagedContent> port) {
      this.bytes = bytes;
      this.port = port;
    }

    private ContentStager begin() {
      Stager own = store.stage(StoreFixture.OWNER, habits.compression());
      return habits.duplicates() == 0 ? own : new DedupStager(store, own, StoreFixture.OWNER);
    }

    void next() {
      if (at == bytes.length) {
        stager.finish(port);
        return;
      }
      int length = Math.min(bytes.length - at, 1 + random.nextInt(60_000));
      ByteBuffer part = ByteBuffer.wrap(bytes, at, length);
      at += length;
      append(part);
    }

    private void append(ByteBuffer part) {
      dev.upcall.completion.CompletionPort<Unit> appended =
          completion -> {
            switch (completion) {
              case Completion.Failed<Unit> failed -> {
                stager.discard();
                port.complete(failed.cast());
              }
              case Completion.Done<Unit> ok ->
                  SlowLoan.fill(loan, SimClients.this::pause, () -> goOn(part));
            }
          };
      if (habits.loans()) {
        stager.append(part, loan, appended);
      } else {
        stager.append(part, appended);
      }
    }

    private void goOn(ByteBuffer part) {
      if (part.hasRemaining()) {
        append(part);
      } else {
        pause(this::next);
      }
    }
  }

  /** As {@link #seen}, for a change that is planned; there may be no memory for its plan. */
  @Nullable Inode planning(View view, long id) {
    Inode inode = seen(view, id);
    world.reactor().allocateInStep();
    return inode;
  }

  /** A change sees exactly what was applied before it. */
  @Nullable Inode seen(View view, long id) {
    Inode inode = view.inode(id);
    check(id, inode);
    SimFileNames.check(view, id, inode != null);
    return inode;
  }

  private void check(long id, @Nullable Inode inode) {
    SimModel.FileState expected = model.live().files().get(id);
    boolean same =
        inode == null
            ? expected == null
            : expected != null
                && expected.version() == inode.version()
                && expected.size() == inode.size();
    if (!same) {
      // No checksums, which print another text in each run.
      throw new AssertionError(
          "file %d: expected %s, found version %d, %d bytes"
              .formatted(id, expected, inode.version(), inode.size()));
    }
  }

  private void giveUp() {
    if (store.refusesContent() != null) {
      end();
      return;
    }
    if (habits.loans() && !mayHold()) {
      return;
    }
    ContentStager stager = store.stage(StoreFixture.OWNER, habits.compression());
    byte[] bytes = StoreFixture.bytes(1, 1 + habits.size(random));
    boolean[] over = new boolean[1];
    Runnable last = this::end;
    if (habits.loans()) {
      boolean[] one = new boolean[1];
      Runnable both = () -> ended(one);
      Loan loan = new Loan();
      // It may be given up meanwhile: nobody else finds these bytes in memory then.
      stager.append(
          ByteBuffer.wrap(bytes), loan, completion -> SlowLoan.fill(loan, this::pause, both));
      last = both;
    } else {
      giveUp(stager, bytes, over);
    }
    Runnable ended = last;
    pause(
        () -> {
          over[0] = true;
          if (random.nextInt(8) != 0 || !closesSoon()) {
            stager.discard();
          }
          ended.run();
        });
  }

  /** The client has ended with the second of two: it fills nothing any more. */
  private void ended(boolean[] one) {
    if (one[0]) {
      letGo();
    }
    one[0] = true;
  }

  private void giveUp(ContentStager stager, byte[] bytes, boolean[] over) {
    stager.append(
        ByteBuffer.wrap(bytes),
        completion -> {
          if (!over[0] && !closing && random.nextInt(3) != 0) {
            stager.finish(
                finished -> {
                  if (finished instanceof Completion.Done<StagedContent> staged) {
                    staged.value().discard();
                  }
                });
          }
        });
  }

  // Reading.

  SimReader.Manners manners() {
    return new SimReader.Manners(this::pause, this::refused, looker::heard);
  }

  /** Lets a client in that will hold memory of the store, which stays open until it lets go. */
  private boolean mayHold() {
    if (closing) {
      end();
      return false;
    }
    holders++;
    return true;
  }

  private void letGo() {
    holders--;
    end();
  }

  private void snapshot() {
    if (mayHold()) {
      new SimSnapshots(store, random, manners(), this::letGo).take(model);
    }
  }

  private void namedSnapshot() {
    if (mayHold()) {
      new SimNamed(store, model, random, manners(), this::letGo).run(habits.drops());
    }
  }

  private void handle(long id) {
    if (!mayHold()) {
      return;
    }
    handles.run(
        id,
        completion -> {
          if (completion instanceof Completion.Failed<Unit>(Failure failure)
              && !(failure instanceof Failure.NotFound)
              && !(failure instanceof Failure.Conflict)) {
            refused(failure);
          }
          letGo();
        });
  }

  private void read(long id) {
    if (!mayHold()) {
      return;
    }
    SimModel.FileState[] expected = new SimModel.FileState[1];
    long[] scn = new long[1];
    Query<Inode> which =
        view -> {
          scn[0] = 0; // without memory nothing is heard of a state
          world.reactor().allocate();
          scn[0] = view.scn();
          Inode inode = seen(view, id);
          expected[0] = model.live().files().get(id);
          return inode == null
              ? Completion.failed(new Failure.NotFound("file " + id))
              : Completion.done(inode);
        };
    CompletionPort<PinnedContent> port =
        completion -> {
          looker.heard(scn[0]);
          switch (completion) {
            case Completion.Failed<PinnedContent> failed -> {
              if (!(failed.failure() instanceof Failure.NotFound)) {
                refused(failed.failure());
              }
              letGo();
            }
            case Completion.Done<PinnedContent> ok -> {
              byte[] bytes = expected[0].bytes();
              int from = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 1) : 0;
              pause(
                  () ->
                      new SimReader(ok.value(), bytes, random, manners(), this::letGo).next(from));
            }
          }
        };
    // Every other file is pinned at once, if that can be; others change it before it is read.
    Completion<PinnedContent> now = id % 2 == 0 ? store.tryPin(which, StoreFixture.OWNER) : null;
    if (now == null) {
      store.pin(which, StoreFixture.OWNER, port);
    } else {
      store.dispatcher().complete(port, now);
    }
  }
}
