package dev.upcall.feed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Expiry;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.FileVersion;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.feed.answer.Outcome;
import dev.upcall.feed.answer.ProducerHistory;
import dev.upcall.feed.answer.Settled;
import dev.upcall.fsm.StateMachineDocs;
import dev.upcall.fsm.TransitionCoverage;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.EntryKind;
import dev.upcall.journal.entry.Origin;
import dev.upcall.journal.entry.Samples;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.request.FileRequest;
import dev.upcall.request.codec.Submission;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
    List<Submission> all = new ArrayList<>();
    all.add(
        Submission.of(new FileRequest.CreateDirectory("/d/e", Parents.MAKE, MetadataChange.NONE)));
    all.add(
        Samples.put(
            "/d/a", bytes("hello"), PutOptions.DEFAULT.withCondition(FileCondition.ABSENT)));
    all.add(Samples.put("/new/b", bytes("b"), PutOptions.WITH_PARENTS));
    all.add(new Submission.Write(StorePath.of("/d/a"), 7, bytes("!!")));
    all.add(Samples.append("/d/a", "."));
    all.add(Samples.append("/made", "made"));
    all.add(Submission.of(new FileRequest.Rename("/new/b", "/d/c", FileCondition.ABSENT)));
    all.add(Submission.of(new FileRequest.DeleteTree("/new")));
    all.add(Submission.of(new FileRequest.Delete("/d/e", FileCondition.PRESENT)));
    all.add(
        Submission.of(
            new FileRequest.Put("/x", new FileContent.Bytes(bytes("xy"))),
            new FileRequest.Rename("/x", "/y", FileCondition.NONE),
            new FileRequest.Put("/z", new FileContent.Bytes(bytes("zzz")))));
    all.add(Submission.of(new FileRequest.SymbolicLink("/link", "/d/a")));
    all.add(Submission.of(new FileRequest.Clone("/link", "/clone", FileCondition.ABSENT)));
    all.add(Submission.of(new FileRequest.Splice("/clone", 1, 4, bytes("i"))));
    all.add(
        Submission.of(
            new FileRequest.CopyRange(
                FileRequest.Range.all("/y"), "/clone", 0, FileRequest.Placing.INSERT)));
    all.add(
        Submission.of(
            new FileRequest.SetMetadata(
                "/y",
                LinkPolicy.FOLLOW,
                MetadataChange.NONE.withMode(0600).withAttribute("colour", bytes("red")))));
    all.add(Samples.put("/gone", bytes("g"), PutOptions.DEFAULT.withExpiry(new Expiry.At(1))));
    all.add(Submission.of(new FileRequest.SetProperty("program", bytes("state"))));
    all.add(Submission.of(new FileRequest.SetProperty("other", bytes("state"))));
    all.add(Submission.of(new FileRequest.RemoveProperty("other")));
    for (Submission each : all) {
      put(each);
    }
    done(fixture);
    assertEquals(new FeedCounts(all.size(), 0, 0, 0, 0, 0, 0), fixture.feed().metrics().counts());
    assertEquals("hello\0\0!!.", text(fixture, "/d/a"));
    assertEquals("b", text(fixture, "/d/c"));
    assertEquals("made", text(fixture, "/made"));
    assertEquals("xy", text(fixture, "/y"));
    assertEquals("zzz", text(fixture, "/z"));
    assertEquals("", text(fixture, "/new/b"));
    assertEquals("xyhi\0\0!!.", text(fixture, "/clone"));
    FileInfo marked =
        fixture.world().get(port -> fixture.files().stat("/y", LinkPolicy.FOLLOW, port));
    assertEquals(0600, marked.mode());
    assertArrayEquals(bytes("red"), marked.attributes().get("colour"));
    assertEquals("", text(fixture, "/gone"));
    assertArrayEquals(bytes("state"), property(fixture, "program"));
    List<Completion<Optional<byte[]>>> removed = new ArrayList<>();
    fixture.files().property("other", removed::add);
    fixture.world().runUntil(() -> !removed.isEmpty());
    assertEquals(Completion.done(Optional.empty()), removed.getFirst());
  }

  /** A feed's notes say what was done: a request that changed them could be done twice. */
  @Test
  void whatFeedsNoteIsNotARequestsToChange() throws QueueException {
    FeedFixture fixture = begun();
    put(Samples.append("/log", "a"));
    String note = "upcall.queue." + model.id() + "." + PRODUCER;
    put(Submission.of(new FileRequest.SetProperty(note, new byte[1])));
    put(
        Submission.of(
            new FileRequest.Delete("/log"),
            new FileRequest.RemoveProperty("upcall.queue." + model.id())));
    put(Samples.append("/log", "b"));
    done(fixture);
    assertEquals("ab", text(fixture, "/log"));
    assertEquals(new FeedCounts(2, 0, 2, 0, 0, 0, 0), fixture.feed().metrics().counts());
    Outcome refusal = history(fixture).outcome(1).orElseThrow();
    assertTrue(refusal.why().contains("a feed's own"), refusal.why());
  }

  @Test
  void anOutcomeSaysWhatIsLeft() throws QueueException {
    FeedFixture fixture = begun();
    put(Samples.put("/a", "1"));
    done(fixture);
    FileVersion version = outcome(fixture).file();
    assertEquals("", outcome(fixture).why());
    PutOptions only = PutOptions.DEFAULT.withCondition(FileCondition.only(version));
    put(Samples.put("/a", bytes("2"), only));
    put(Samples.put("/a", bytes("3"), only));
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
    put(Samples.put("/a", "1"));
    put(Samples.delete("/absent"));
    byte[] large = new byte[Entry.MAX_BODY_BYTES];
    put(Samples.put("/l", large));
    put(Samples.append("/a", "2"));
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
      put(Samples.append("/log", text));
      if (i % 3 == 1) {
        put(Samples.delete("/absent"));
      }
      put(
          Samples.put(
              "/f" + i, bytes("f"), PutOptions.DEFAULT.withCondition(FileCondition.ABSENT)));
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
      put(Samples.append("/log", "a"));
    }
    putFromOther(0, first(Samples.append("/log", "b")));
    done(fixture);
    assertEquals("abaaa", text(fixture, "/log"));
    fixture.source().hold();
    byte[] large = new byte[4 * Entry.MAX_BODY_BYTES];
    put(Samples.put("/large", large));
    put(Samples.append("/log", "a"));
    putFromOther(1, first(Samples.append("/log", "b")));
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
    put(Samples.append("/log", "a"));
    done(fixture);
    refusals = 1;
    put(Samples.append("/log", "b"));
    Entry late = first(Samples.append("/log", "c"));
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
      Entry entry = first(Samples.directory("/d" + i));
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
    put(Samples.delete("/absent"));
    put(new Submission.Write(StorePath.of("/absent"), 0, bytes("w")));
    put(Samples.delete("/"));
    byte[] large = new byte[Entry.MAX_BODY_BYTES + 10];
    put(Samples.put("/absent/f", large));
    put(
        Submission.of(
            new FileRequest.Put("/half", new FileContent.Bytes(bytes("h"))),
            new FileRequest.Delete("/absent")));
    put(Samples.put("/a", "a"));
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
    put(Samples.append("/log", "1"));
    put(Samples.append("/log", "2"));
    put(Samples.delete("/absent"));
    done(fixture);
    assertEquals("12", text(fixture, "/log"));
    assertEquals(2, fixture.feed().metrics().counts().retried());
    assertTrue(fixture.feed().metrics().halved() > 0);
    refused = "flush";
    refusals = 2;
    put(Samples.delete("/absent"));
    put(Samples.append("/log", "3"));
    done(fixture);
    assertEquals("123", text(fixture, "/log"));
    assertEquals(new FeedCounts(3, 0, 2, 2, 0, 0, 0), fixture.feed().metrics().counts());
  }

  @Test
  void entriesThatAreNoneArePassedOver() throws QueueException {
    FeedFixture fixture = begun();
    writer.append(new byte[] {1});
    byte[] torn = EntryCodec.encode(first(Samples.append("/log", "t")));
    torn[torn.length - 1]++;
    writer.append(torn);
    Entry other = first(Samples.append("/log", "o"));
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
    put(Samples.append("/log", "a"));
    done(fixture);
    assertEquals("a", text(fixture, "/log"));
    assertEquals(new FeedCounts(1, 0, 0, 0, 5, 0, 0), fixture.feed().metrics().counts());
  }

  @Test
  void aRequestThatWasDoneIsNotDoneAgain() throws QueueException {
    FeedFixture fixture = begun();
    Entry one = first(Samples.append("/log", "a"));
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
    Submission put = Samples.put("/f", large);
    writer.append(EntryCodec.encode(entries(put).getFirst()));
    List<Entry> second = entries(put);
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
    put(put);
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
    put(Samples.append("/log", "a"));
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
    put(Samples.append("/log", "a"));
    done(fixture);
    assertStopped(fixture, "reading failed");
  }

  @Test
  void itCanBeClosedAtAnyTime() throws QueueException {
    put(Samples.append("/log", "a"));
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

  private void put(Submission request) throws QueueException {
    for (Entry entry : entries(request)) {
      writer.append(EntryCodec.encode(entry));
    }
  }

  private void putFromOther(long number, Entry entry) throws QueueException {
    Origin origin = new Origin(model.id(), 0, new UUID(8, 8), 1, number);
    writer.append(EntryCodec.encode(new Entry(origin, EntryKind.REQUEST, 0, 1, entry.body())));
  }

  private Entry first(Submission request) {
    return entries(request).getFirst();
  }

  private List<Entry> entries(Submission request) {
    Origin origin = new Origin(model.id(), 0, PRODUCER, 4711, sequence++);
    return Samples.entries(request, origin, appendedMillis);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] property(FeedFixture fixture, String name) {
    return fixture
        .world()
        .<Optional<byte[]>>get(port -> fixture.files().property(name, port))
        .orElseThrow();
  }

  private Outcome outcome(FeedFixture fixture) {
    return history(fixture).outcomes().getFirst();
  }

  private ProducerHistory history(FeedFixture fixture) {
    String name = "upcall.queue." + model.id() + "." + PRODUCER;
    return ProducerHistory.decode(property(fixture, name)).orElseThrow();
  }

  /** The entry up to which the store has noted the queue as done. */
  private static long committed(FeedFixture fixture) {
    UUID queue = fixture.source().queue();
    byte[] noted = property(fixture, Position.property(queue));
    return Objects.requireNonNull(Position.decode(noted), "no position").index();
  }

  private static String text(FeedFixture fixture, String path) {
    return new String(fixture.content(path), StandardCharsets.US_ASCII);
  }
}
