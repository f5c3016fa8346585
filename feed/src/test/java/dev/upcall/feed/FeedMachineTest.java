package dev.upcall.feed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileManager;
import dev.upcall.FileVersion;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.StateMachineDocs;
import dev.upcall.fsm.TransitionCoverage;
import dev.upcall.journal.entry.Condition;
import dev.upcall.journal.entry.Condition.Existence;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.EntryKind;
import dev.upcall.journal.entry.Origin;
import dev.upcall.journal.entry.Request;
import dev.upcall.journal.entry.RequestCodec;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.QueueException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A feed on its rarer ways, and each kind of request. */
class FeedMachineTest {
  private static final TransitionCoverage COVERAGE = new TransitionCoverage();
  private static final UUID PRODUCER = new UUID(7, 7);

  private final QueueModel model = new QueueModel(new UUID(1, 2));
  private final EntryQueue writer = model.storage().open();
  private final List<FeedFixture> opened = new ArrayList<>();
  private long sequence;

  /** What the file manager answers in place of what is asked next, by the method's name. */
  private String refused = "";

  private Failure refusal = new Failure.Busy("tests");
  private int refusals;

  /** What entries say of when they were appended. */
  private long appendedMillis;

  /** Runs when that is asked. */
  private Runnable asked = () -> {};

  @AfterEach
  void closeAndCount() {
    for (FeedFixture fixture : opened) {
      fixture.close();
      COVERAGE.add(fixture.world().dispatcher().recorder());
    }
  }

  @AfterAll
  static void everyWayWasTaken() {
    COVERAGE.assertAllTaken(RequestFeed.TRANSITIONS);
  }

  @Test
  void pagesAreFresh() {
    StateMachineDocs.check(RequestFeed.TRANSITIONS);
  }

  @Test
  void eachKindOfRequestIsDone() throws QueueException {
    FeedFixture fixture = begun();
    put(new Request.CreateDirectory("/d/e", true), "");
    put(new Request.Put("/d/a", Condition.ABSENT, false, 5), "hello");
    put(new Request.Put("/new/b", Condition.NONE, true, 1), "b");
    put(new Request.Write("/d/a", 7, 2), "!!");
    put(new Request.Append("/d/a", 1), ".");
    put(new Request.Append("/made", 4), "made");
    put(new Request.Rename("/new/b", "/d/c", Condition.ABSENT), "");
    put(new Request.DeleteTree("/new", Condition.NONE), "");
    put(new Request.Delete("/d/e", new Condition(Existence.MUST_EXIST, Optional.empty())), "");
    put(
        new Request.Batch(
            List.of(
                new Request.Put("/x", Condition.NONE, false, 2),
                new Request.Rename("/x", "/y", Condition.NONE),
                new Request.Put("/z", Condition.NONE, false, 3))),
        "xyzzz");
    done(fixture);
    assertEquals(new FeedCounts(10, 0, 0, 0, 0, 0, 0), fixture.feed().metrics().counts());
    assertEquals("hello\0\0!!.", text(fixture, "/d/a"));
    assertEquals("b", text(fixture, "/d/c"));
    assertEquals("made", text(fixture, "/made"));
    assertEquals("xy", text(fixture, "/y"));
    assertEquals("zzz", text(fixture, "/z"));
    assertEquals("", text(fixture, "/new/b"));
  }

  @Test
  void anOutcomeSaysWhatIsLeft() throws QueueException {
    FeedFixture fixture = begun();
    put(new Request.Put("/a", Condition.NONE, false, 1), "1");
    done(fixture);
    FileVersion version = outcome(fixture).file();
    assertEquals("", outcome(fixture).why());
    Condition only =
        new Condition(
            Existence.ANY, Optional.of(new Condition.Version(version.id(), version.version())));
    put(new Request.Put("/a", only, false, 1), "2");
    put(new Request.Put("/a", only, false, 1), "3");
    done(fixture);
    assertEquals("2", text(fixture, "/a"));
    assertEquals(2, outcome(fixture).sequence());
    assertTrue(outcome(fixture).why().contains("/a has version"), outcome(fixture).why());
    assertEquals(Outcome.NOTHING, outcome(fixture).file());
  }

  @Test
  void whatBecameOfEachRequestIsHeardOnceItIsDurable() throws QueueException {
    FeedFixture fixture = begun(this::refusing);
    refused = "flush";
    refusals = 2;
    int[] heardBefore = new int[1];
    asked = () -> heardBefore[0] += refusals > 0 ? opened.getFirst().settled().size() : 0;
    put(new Request.Put("/a", Condition.NONE, false, 1), "1");
    put(new Request.Delete("/absent", Condition.NONE), "");
    byte[] large = new byte[Entry.MAX_BODY_BYTES];
    putAll(new Request.Put("/l", Condition.NONE, false, large.length), large);
    put(new Request.Append("/a", 1), "2");
    done(fixture);
    assertEquals(0, heardBefore[0]);
    List<Settled> heard = fixture.settled();
    assertEquals(
        List.of(0L, 1L, 2L, 3L), heard.stream().map(each -> each.outcome().sequence()).toList());
    assertEquals(
        List.of(true, false, true, true),
        heard.stream().map(each -> each.outcome().isDone()).toList());
    assertEquals(List.of(1, 1, 2, 1), heard.stream().map(each -> each.indexes().size()).toList());
    assertEquals(
        heard.stream().map(Settled::outcome).toList().reversed(), history(fixture).outcomes());
  }

  @Test
  void oneThatFailsFailsNobodyInItsGroup() throws QueueException {
    FeedFixture fixture = begun();
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      String text = i + ";";
      expected.append(text);
      put(new Request.Append("/log", text.length()), text);
      if (i % 3 == 1) {
        put(new Request.Delete("/absent", Condition.NONE), "");
      }
      put(new Request.Put("/f" + i, Condition.ABSENT, false, 1), "f");
    }
    done(fixture);
    assertEquals(new FeedCounts(24, 0, 4, 0, 0, 0, 0), fixture.feed().metrics().counts());
    assertEquals(expected.toString(), text(fixture, "/log"));
    assertTrue(fixture.feed().metrics().halved() > 0);
    assertTrue(fixture.feed().metrics().groups().count() < 24);
  }

  @Test
  void producersAreServedInTurn() throws QueueException {
    FeedFixture fixture = begun();
    for (int i = 0; i < 4; i++) {
      put(new Request.Append("/log", 1), "a");
    }
    putFromOther(0, first(new Request.Append("/log", 1), "b"));
    done(fixture);
    assertEquals("abaaa", text(fixture, "/log"));
    fixture.source().hold();
    byte[] large = new byte[4 * Entry.MAX_BODY_BYTES];
    putAll(new Request.Put("/large", Condition.NONE, false, large.length), large);
    put(new Request.Append("/log", 1), "a");
    putFromOther(1, first(new Request.Append("/log", 1), "b"));
    fixture.source().poke();
    fixture.world().runUntil(() -> fixture.settled().size() == 6);
    fixture.source().release();
    done(fixture);
    assertEquals("abaaaba", text(fixture, "/log"));
    assertArrayEquals(large, fixture.content("/large"));
  }

  @Test
  void aProducerThatRestsHoldsUpNoOther() throws QueueException {
    FeedFixture fixture = begun(this::refusing);
    refused = "begin";
    refusals = 1;
    put(new Request.Append("/log", 1), "a");
    done(fixture);
    refusals = 1;
    put(new Request.Append("/log", 1), "b");
    Entry late = first(new Request.Append("/log", 1), "c");
    fixture.source().poke();
    fixture.world().runUntil(() -> fixture.feed().metrics().counts().retried() == 2);
    putFromOther(0, late);
    done(fixture);
    assertEquals("acb", text(fixture, "/log"));
  }

  @Test
  void theBacklogIsAllThatIsNotDone() throws QueueException {
    FeedFixture fixture = begun(this::refusing);
    assertEquals(Backlog.NONE, fixture.feed().metrics().backlog());
    assertEquals(0, fixture.feed().metrics().oldestNanos());
    appendedMillis = fixture.world().dispatcher().clock().epochNanos() / 1_000_000 - 90_000;
    refused = "batch";
    refusals = Integer.MAX_VALUE;
    Backlog all = Backlog.NONE;
    // More than is read ahead.
    for (int i = 0; i < 30; i++) {
      Entry entry = first(new Request.CreateDirectory("/d" + i, false), "");
      writer.append(EntryCodec.encode(entry));
      all = all.plus(1, EntryCodec.HEAD_BYTES + entry.body().length);
      appendedMillis += 1000;
    }
    model.storage().damage();
    all = all.plus(1, 100);
    fixture.source().poke();
    fixture.world().runUntil(() -> fixture.feed().metrics().counts().retried() == 1);
    assertEquals(all, fixture.feed().metrics().backlog());
    assertTrue(fixture.feed().metrics().oldestNanos() >= 90_000_000_000L);
    assertTrue(fixture.feed().metrics().oldestNanos() < 91_000_000_000L);
    refusals = 0;
    done(fixture);
    assertEquals(Backlog.NONE, fixture.feed().metrics().backlog());
    assertEquals(0, fixture.feed().metrics().oldestNanos());
    assertEquals(1, fixture.feed().metrics().counts().unreadable());
  }

  @Test
  void whatFailsForGoodHoldsUpNobody() throws QueueException {
    FeedFixture fixture = begun();
    put(new Request.Delete("/absent", Condition.NONE), "");
    put(new Request.Write("/absent", 0, 1), "w");
    put(new Request.Put("/a/../b", Condition.NONE, true, 1), "x");
    byte[] large = new byte[Entry.MAX_BODY_BYTES + 10];
    putAll(new Request.Put("/absent/f", Condition.NONE, false, large.length), large);
    put(
        new Request.Batch(
            List.of(
                new Request.Put("/half", Condition.NONE, false, 1),
                new Request.Delete("/absent", Condition.NONE))),
        "h");
    put(new Request.Put("/a", Condition.NONE, false, 1), "a");
    done(fixture);
    assertEquals(new FeedCounts(1, 0, 5, 0, 0, 0, 0), fixture.feed().metrics().counts());
    assertEquals("a", text(fixture, "/a"));
    assertEquals("", text(fixture, "/half"));
  }

  @Test
  void whatFailsForNowIsTriedAgainInOrder() throws QueueException {
    FeedFixture fixture = begun(this::refusing);
    refused = "begin";
    refusals = 3;
    put(new Request.Append("/log", 1), "1");
    put(new Request.Append("/log", 1), "2");
    put(new Request.Delete("/absent", Condition.NONE), "");
    done(fixture);
    assertEquals("12", text(fixture, "/log"));
    assertEquals(2, fixture.feed().metrics().counts().retried());
    assertTrue(fixture.feed().metrics().halved() > 0);
    refused = "flush";
    refusals = 2;
    put(new Request.Delete("/absent", Condition.NONE), "");
    put(new Request.Append("/log", 1), "3");
    done(fixture);
    assertEquals("123", text(fixture, "/log"));
    assertEquals(new FeedCounts(3, 0, 2, 2, 0, 0, 0), fixture.feed().metrics().counts());
  }

  @Test
  void entriesThatAreNoneArePassedOver() throws QueueException {
    FeedFixture fixture = begun();
    writer.append(new byte[] {1});
    byte[] torn = EntryCodec.encode(first(new Request.Append("/log", 1), "t"));
    torn[torn.length - 1]++;
    writer.append(torn);
    Entry other = first(new Request.Append("/log", 1), "o");
    Origin origin = other.origin();
    writer.append(
        EntryCodec.encode(
            new Entry(
                new Origin(new UUID(9, 9), 0, PRODUCER, 0, origin.sequence()),
                EntryKind.REQUEST,
                0,
                1,
                other.body())));
    writer.append(EntryCodec.encode(new Entry(origin, EntryKind.REQUEST, 0, 1, new byte[] {99})));
    writer.append(EntryCodec.encode(new Entry(origin, EntryKind.REQUEST, 1, 2, new byte[] {99})));
    put(new Request.Append("/log", 1), "a");
    done(fixture);
    assertEquals("a", text(fixture, "/log"));
    assertEquals(new FeedCounts(1, 0, 0, 0, 5, 0, 0), fixture.feed().metrics().counts());
  }

  @Test
  void aRequestThatWasDoneIsNotDoneAgain() throws QueueException {
    FeedFixture fixture = begun();
    Entry one = first(new Request.Append("/log", 1), "a");
    writer.append(EntryCodec.encode(one));
    writer.append(EntryCodec.encode(one));
    done(fixture);
    fixture.feed().close();
    FeedFixture next = again(fixture.reopen(model, FeedCanary.NONE));
    opened.remove(fixture);
    COVERAGE.add(fixture.world().dispatcher().recorder());
    writer.append(EntryCodec.encode(one));
    next.feed().begin();
    done(next);
    assertEquals("a", text(next, "/log"));
    assertEquals(1, fixture.feed().metrics().counts().repeated());
    assertEquals(1, next.feed().metrics().counts().repeated());
  }

  @Test
  void partsThatStayAwayAreGivenUp() throws QueueException {
    FeedFixture fixture = begun();
    byte[] large = new byte[Entry.MAX_BODY_BYTES];
    Request put = new Request.Put("/f", Condition.NONE, false, large.length);
    writer.append(EntryCodec.encode(entries(put, large).getFirst()));
    List<Entry> second = entries(put, large);
    writer.append(EntryCodec.encode(second.getFirst()));
    done(fixture);
    assertEquals(1, fixture.feed().metrics().counts().abandoned());
    boolean[] isLate = new boolean[1];
    fixture.world().dispatcher().schedule(FeedFixture.UNFINISHED_NANOS, () -> isLate[0] = true);
    fixture.world().runUntil(() -> isLate[0]);
    writer.append(EntryCodec.encode(second.getLast()));
    done(fixture);
    assertEquals(new FeedCounts(0, 0, 0, 0, 1, 2, 0), fixture.feed().metrics().counts());
    assertEquals("", text(fixture, "/f"));
    // What was given up is behind the store, too: nothing of it is backlog for anybody.
    assertEquals(Backlog.NONE, fixture.feed().metrics().backlog());
    assertNull(writer.next(committed(fixture)));
    putAll(put, large);
    done(fixture);
    assertArrayEquals(large, fixture.content("/f"));
  }

  @Test
  void aStoreThatFailsStopsTheFeed() throws QueueException {
    FeedFixture opening = begun(this::refusing, "property", new Failure.ReadOnly("test"));
    done(opening);
    assertStopped(opening, "read-only");
    FeedFixture looking = begun(this::refusing);
    done(looking);
    put(new Request.Append("/log", 1), "a");
    refusals = 1;
    done(looking);
    assertStopped(looking, "read-only");
    FeedFixture applying = begun(this::refusing, "begin", new Failure.Device("write", "test"));
    done(applying);
    assertStopped(applying, "write failed: test");
  }

  @Test
  void aQueueThatFailsStopsTheFeed() throws QueueException {
    FeedFixture fixture = begun();
    fixture.source().fail();
    put(new Request.Append("/log", 1), "a");
    done(fixture);
    assertStopped(fixture, "reading failed");
  }

  @Test
  void itCanBeClosedAtAnyTime() throws QueueException {
    put(new Request.Append("/log", 1), "a");
    fixture(UnaryOperator.identity()).feed().close();
    closeAt(FeedState.OPENING, "property");
    closeAt(FeedState.WAITING, "property");
    closeAt(FeedState.APPLYING, "begin");
    FeedFixture resting = begun(this::refusing, "begin", new Failure.Busy("tests"));
    resting.world().runUntil(() -> resting.feed().metrics().counts().retried() > 0);
    resting.feed().close();
    resting.world().runUntilIdle();
    assertEquals(FeedState.CLOSED, resting.feed().state());
    FeedFixture stopped = begun(this::refusing, "begin", new Failure.ReadOnly("test"));
    done(stopped);
    stopped.feed().close();
  }

  /** Closes a feed in a state in which it asks something of the file manager. */
  private void closeAt(FeedState state, String asks) {
    FeedFixture fixture = fixture(this::refusing);
    refused = asks;
    asked =
        () -> {
          if (fixture.feed().state() == state) {
            fixture.feed().close();
          }
        };
    fixture.feed().begin();
    fixture.world().runUntilIdle();
    assertEquals(FeedState.CLOSED, fixture.feed().state());
    asked = () -> {};
  }

  // ---------------------------------------------------------------- the fixture

  private static void assertStopped(FeedFixture fixture, String why) {
    assertEquals(FeedState.STOPPED, fixture.feed().state());
    String failure = fixture.feed().metrics().failure();
    assertTrue(failure.contains(why), failure);
  }

  private FeedFixture again(FeedFixture fixture) {
    opened.add(fixture);
    return fixture;
  }

  private FeedFixture fixture(UnaryOperator<FileManager> broken) {
    return again(FeedFixture.create(opened.size() + 1, model, FeedCanary.NONE, broken));
  }

  private FeedFixture begun() {
    return begun(UnaryOperator.identity());
  }

  private FeedFixture begun(UnaryOperator<FileManager> broken) {
    FeedFixture fixture = fixture(broken);
    fixture.feed().begin();
    return fixture;
  }

  private FeedFixture begun(UnaryOperator<FileManager> broken, String what, Failure how) {
    refused = what;
    refusal = how;
    refusals = 1;
    return begun(broken);
  }

  private static void done(FeedFixture fixture) {
    fixture.source().poke();
    fixture.runUntilDone();
  }

  private FileManager refusing(FileManager files) {
    return (FileManager)
        Proxy.newProxyInstance(
            FileManager.class.getClassLoader(),
            new Class<?>[] {FileManager.class},
            (_, method, arguments) -> {
              if (method.getName().equals(refused)) {
                asked.run();
              }
              if (method.getName().equals(refused) && refusals > 0) {
                refusals--;
                refuse(files, (CompletionPort<?>) arguments[arguments.length - 1]);
                return null;
              }
              try {
                return method.invoke(files, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  private <T> void refuse(FileManager files, CompletionPort<T> port) {
    files.dispatcher().complete(port, Completion.failed(refusal));
  }

  private void put(Request request, String contents) throws QueueException {
    putAll(request, contents.getBytes(StandardCharsets.US_ASCII));
  }

  private void putAll(Request request, byte[] contents) throws QueueException {
    for (Entry entry : entries(request, contents)) {
      writer.append(EntryCodec.encode(entry));
    }
  }

  private void putFromOther(long number, Entry entry) throws QueueException {
    Origin origin = new Origin(model.id(), 0, new UUID(8, 8), 1, number);
    writer.append(EntryCodec.encode(new Entry(origin, EntryKind.REQUEST, 0, 1, entry.body())));
  }

  private Entry first(Request request, String contents) {
    return entries(request, contents.getBytes(StandardCharsets.US_ASCII)).getFirst();
  }

  private List<Entry> entries(Request request, byte[] contents) {
    byte[] head = RequestCodec.encode(request);
    byte[] all = Arrays.copyOf(head, head.length + contents.length);
    System.arraycopy(contents, 0, all, head.length, contents.length);
    Origin origin = new Origin(model.id(), 0, PRODUCER, 4711, sequence++);
    List<Entry> entries = new ArrayList<>();
    int parts = Entry.partsOf(all.length);
    for (int part = 0; part < parts; part++) {
      int at = part * Entry.MAX_BODY_BYTES;
      byte[] body = Arrays.copyOfRange(all, at, Math.min(all.length, at + Entry.MAX_BODY_BYTES));
      entries.add(new Entry(origin, EntryKind.REQUEST, part, parts, body, appendedMillis));
    }
    return entries;
  }

  private Outcome outcome(FeedFixture fixture) {
    return history(fixture).outcomes().getFirst();
  }

  private ProducerHistory history(FeedFixture fixture) {
    String name = "upcall.queue." + model.id() + "." + PRODUCER;
    byte[] stored = fixture.world().get(port -> fixture.files().property(name, port));
    return ProducerHistory.decode(stored).orElseThrow();
  }

  /** The entry up to which the store has noted the queue as done. */
  private static long committed(FeedFixture fixture) {
    UUID queue = fixture.source().queue();
    byte[] noted =
        fixture
            .world()
            .<byte[]>get(port -> fixture.files().property(Position.property(queue), port));
    return Objects.requireNonNull(Position.decode(noted), "no position").index();
  }

  private static String text(FeedFixture fixture, String path) {
    return new String(fixture.content(path), StandardCharsets.US_ASCII);
  }
}
