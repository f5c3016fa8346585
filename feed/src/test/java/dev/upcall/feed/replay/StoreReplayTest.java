package dev.upcall.feed.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Existence;
import dev.upcall.Expiry;
import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.FsmUpcall;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.MetadataChange;
import dev.upcall.OpenFile;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.EditPolicy;
import dev.upcall.content.LeaseOwner;
import dev.upcall.feed.FlightSource;
import dev.upcall.feed.Recording;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.record.NameNumbers;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;
import dev.upcall.io.IoClass;
import dev.upcall.journal.recording.RecordingConfig;
import dev.upcall.journal.trace.TraceKind;
import dev.upcall.journal.trace.TraceRecord;
import dev.upcall.journal.trace.TraceSource;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.PinnedContent;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store has recorded in use runs again, or the first move that differs is named. */
class StoreReplayTest {
  private static final UpcallConfig CONFIG =
      UpcallConfig.DEFAULT.withMemoryBytes(32L << 20).withCapBytes(256L << 20);

  private static final int THREADS = 6;
  private static final int LARGE = 3_000_000;

  @TempDir Path here;

  private FsmUpcall create() {
    return Upcall.create(here.resolve("store.upcall"), CONFIG).fsm();
  }

  private static void record(FsmUpcall store) {
    Recording.recordInputs(store, new byte[] {1, 2, 3});
  }

  private static TraceSource memory(FsmUpcall store) {
    FlightSource source = FlightSource.of(store);
    return TraceSource.memory(source, source.recordsKept());
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 7);
    return bytes;
  }

  /** Of each kind some, from one thread: what fails is asked again, too. */
  private static void use(FsmUpcall store) throws IOException {
    store.createDirectory("/letters");
    for (int number = 0; number < 20; number++) {
      store.write("/letters/secret-" + number, bytes(100 * number));
    }
    store.write("/letters/large", bytes(100_000));
    put(store, "/letters/streamed");
    store.put("/letters/given-up", PutOptions.DEFAULT).close();
    assertEquals(1900, store.readAllBytes("/letters/secret-19").length);
    assertEquals(400_000, store.readAllBytes("/letters/streamed").length);
    store.rename("/letters/secret-3", "/letters/renamed", Existence.MUST_NOT_EXIST);
    store.cloneFile("/letters/streamed", "/letters/clone", Existence.MUST_NOT_EXIST);
    store.insert("/letters/streamed", 100_000, bytes(3000));
    store.cut("/letters/clone", 0, 50_000);
    store.delete("/letters/secret-4");
    assertThrows(UpcallException.class, () -> store.delete("/letters/secret-4"));
    assertThrows(UpcallException.class, () -> store.write("/none/file", bytes(1)));
    store.setProperty("program", bytes(10));
    store.list("/letters", 10);
    store.list("/letters", "large", 10);
    store.names(
        "/letters", new Listing.Range(Listing.Direction.DESCENDING, 10).withBeyond("large"));
    store.property("program");
    store.stat("/letters/clone");
    store.deleteTree("/letters");
    store.write("/last", bytes(5000));
    store.flush();
  }

  private static void put(FsmUpcall store, String path) throws IOException {
    try (Upcall.PutStream out = store.put(path, PutOptions.DEFAULT)) {
      for (int piece = 0; piece < 40; piece++) {
        out.write(bytes(10_000));
      }
      out.commit();
    }
  }

  private static String text(Result result) {
    StringWriter text = new StringWriter();
    result.print(new PrintWriter(text, true));
    return text.toString();
  }

  @Test
  void aRecordingOfANewStoreIsTheSameAgain() throws IOException {
    Path folder = here.resolve("rec");
    UUID run = UUID.randomUUID();
    FsmUpcall store = create();
    Recording recording = Recording.start(store, folder, RecordingConfig.DEFAULT, run);
    try (store) {
      record(store);
      use(store);
    }
    recording.close();
    Result result = StoreReplay.run(TraceSource.files(folder, run));
    assertTrue(result.isSame(), () -> text(result));
    assertNull(result.stop(), () -> text(result));
    assertTrue(result.counts().calls() > 30, () -> text(result));
    assertTrue(result.counts().compared() > 200, () -> text(result));
  }

  /** A way through links and renamed directories leads where it led, and conditions hold or not. */
  @Test
  void eachKindOfRequestIsTheSameAgain() throws IOException {
    FsmUpcall store = create();
    try (store) {
      record(store);
      FileInfo made = store.createDirectories("/d/e");
      store.write("/d/e/file", bytes(100));
      store.symbolicLink("/d/absolute", "/d/e");
      store.symbolicLink("/d/relative", "./../d//e/file");
      store.symbolicLink("/d/nowhere", "gone");
      store.write("/d/absolute/file", bytes(5000));
      assertEquals(5000, store.readAllBytes("/d/relative").length);
      assertThrows(UpcallException.NotFound.class, () -> store.readAllBytes("/d/nowhere"));
      StorePath below = UpcallException.value(StorePath.parse(made.id(), "../e/of-id"));
      FileInfo ofId = store.write(below, bytes(20));
      assertEquals(20, store.stat(below).sizeBytes());
      PutOptions only = PutOptions.DEFAULT.withCondition(FileCondition.only(ofId.fileVersion()));
      store.write(below, bytes(30), only);
      assertThrows(
          UpcallException.VersionMismatch.class, () -> store.write(below, bytes(40), only));
      FileCondition newer = FileCondition.unmodifiedSince(Instant.now().plusSeconds(60));
      store.setMetadata(
          "/d/relative", LinkPolicy.FOLLOW, MetadataChange.NONE.withMode(0600), newer);
      FileCondition older = FileCondition.unmodifiedSince(Instant.now().minusSeconds(60));
      assertThrows(UpcallException.VersionMismatch.class, () -> store.delete("/d/e/file", older));
      store.write("/d/gone", bytes(10), PutOptions.DEFAULT.withExpiry(new Expiry.At(1)));
      assertThrows(UpcallException.NotFound.class, () -> store.readAllBytes("/d/gone"));
      MetadataChange many = MetadataChange.NONE.withEditPolicy(new EditPolicy.Esm(4));
      for (int i = 0; i < 4; i++) {
        many = many.withAttribute("attribute-" + i, bytes(30 * i));
      }
      store.write("/d/policy", bytes(300_000), PutOptions.DEFAULT.withMetadata(many));
      store.splice("/d/policy", 100_000, 10, bytes(3000));
      store.copyRange(
          FileRequest.Range.all("/d/policy"), "/d/e/file", 50, FileRequest.Placing.INSERT);
      store.rename("/d/e", "/moved");
      assertEquals(307_990, store.readAllBytes("/moved/file").length);
      store.batch(
          List.of(
              new FileRequest.SymbolicLink("/l", "/moved"),
              new FileRequest.Clone("/l/of-id", "/clone", FileCondition.ABSENT),
              new FileRequest.SetProperty("of/a program", bytes(7)),
              new FileRequest.Delete("/d/policy")));
      assertEquals(7, store.property("of/a program").orElseThrow().length);
      assertEquals(30, store.readAllBytes("/clone").length);
      store.removeProperty("of/a program");
      store.deleteTree("/d");
    }
    Result result = StoreReplay.run(memory(store));
    assertTrue(result.isSame(), () -> text(result));
    assertNull(result.stop(), () -> text(result));
    assertNull(result.unknown(), () -> text(result));
    assertTrue(result.counts().calls() > 25, () -> text(result));
  }

  /** Which commits share a write, and whose turn it was, is as it was. */
  @Test
  void whatManyThreadsAskIsTheSameAgain() throws Exception {
    FsmUpcall store = create();
    try (store) {
      record(store);
      try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          String directory = "/of-" + thread;
          all.add(threads.submit(() -> use(store, directory)));
        }
        for (Future<?> one : all) {
          one.get();
        }
      }
    }
    Result result = StoreReplay.run(memory(store));
    assertTrue(result.isSame(), () -> text(result));
    assertTrue(result.counts().calls() > 30 * THREADS, () -> text(result));
  }

  /** A reader goes on in the upcall that brings it a piece, with what was read ahead meanwhile. */
  @Test
  void aDownloadOfManyPiecesIsTheSameAgain() throws Exception {
    Result result = downloads(1);
    assertTrue(result.isSame(), () -> text(result));
    assertNull(result.unknown(), () -> text(result));
    assertTrue(result.counts().compared() > 200, () -> text(result));
  }

  /** Who of them gets what of the read-ahead is not always the same, and no difference. */
  @Test
  void downloadsAtOnceDoNotDiffer() throws Exception {
    Result result = downloads(3);
    assertTrue(result.isSame(), () -> text(result));
    assertTrue(result.counts().compared() > 500, () -> text(result));
  }

  private Result downloads(int files) throws Exception {
    FsmUpcall store = create();
    try (store) {
      record(store);
      for (int file = 0; file < files; file++) {
        try (Upcall.PutStream out = store.put("/" + file, PutOptions.DEFAULT)) {
          out.write(bytes(LARGE));
          out.commit();
        }
      }
      List<Download> all = new ArrayList<>();
      for (int file = 0; file < files; file++) {
        all.add(new Download(store.fileManager(), "/" + file));
      }
      for (Download one : all) {
        assertEquals(LARGE, one.bytes());
      }
    }
    return StoreReplay.run(memory(store));
  }

  /** Reads as a session does: what is in memory at once, the rest when it has come. */
  private static final class Download {
    private static final int PIECE = 1 << 18;

    private final CompletableFuture<Long> done = new CompletableFuture<>();
    private long offset;
    private @Nullable PinnedContent content;

    Download(FileManager files, String path) {
      Dispatcher dispatcher = files.dispatcher();
      dispatcher.execute(
          () -> {
            int name = dispatcher.recorder().name("download");
            dispatcher.recorder().begin(name, name);
            files.openRead(path, new LeaseOwner("download", 0), this::opened);
          });
    }

    long bytes() throws Exception {
      return done.get(120, TimeUnit.SECONDS);
    }

    private void opened(Completion<OpenFile> completion) {
      switch (completion) {
        case Completion.Done<OpenFile>(OpenFile file) -> {
          content = file.content();
          readOn();
        }
        case Completion.Failed<OpenFile> failed ->
            done.completeExceptionally(new IOException(failed.failure().toString()));
      }
    }

    private void readOn() {
      PinnedContent open = Objects.requireNonNull(content);
      while (offset < open.inode().size()) {
        ContentSlice slice = open.tryRead(offset, PIECE);
        if (slice == null) {
          open.read(offset, PIECE, IoClass.FOREGROUND_READ, this::came);
          return;
        }
        take(slice);
      }
      open.close();
      done.complete(offset);
    }

    private void came(Completion<ContentSlice> completion) {
      switch (completion) {
        case Completion.Done<ContentSlice>(ContentSlice slice) -> {
          take(slice);
          readOn();
        }
        case Completion.Failed<ContentSlice> failed ->
            done.completeExceptionally(new IOException(failed.failure().toString()));
      }
    }

    private void take(ContentSlice slice) {
      offset += slice.sizeBytes();
      slice.release();
    }
  }

  /** They are holes, which no write is for. */
  @Test
  void contentsOfZerosAreTheSameAgain() throws IOException {
    FsmUpcall store = create();
    try (store) {
      record(store);
      store.write("/small", new byte[70_000]);
      try (Upcall.PutStream out = store.put("/large", PutOptions.DEFAULT)) {
        out.write(new byte[LARGE]);
        out.write(bytes(LARGE));
        out.commit();
      }
      assertEquals(70_000, store.readAllBytes("/small").length);
      assertEquals(2 * LARGE, store.readAllBytes("/large").length);
    }
    Result result = StoreReplay.run(memory(store));
    assertTrue(result.isSame(), () -> text(result));
  }

  /** That is neither a difference nor a recording that cannot be replayed. */
  @Test
  void aStoreThatThrowsIsSaidToHaveThrown() throws IOException {
    Path folder = here.resolve("rec");
    FsmUpcall store = create();
    Recording recording =
        Recording.start(store, folder, RecordingConfig.DEFAULT, UUID.randomUUID());
    try (store) {
      record(store);
      store.createDirectory("/a");
    }
    recording.close();
    StringWriter said = new StringWriter();
    PrintWriter err = new PrintWriter(said, true);
    List<String> arguments = List.of(folder.toString());
    PrintWriter nobody = new PrintWriter(Writer.nullWriter());
    assertEquals(0, ReplayCommand.run(arguments, UnaryOperator.identity(), nobody, err));
    assertEquals("", said.toString());
    assertEquals(3, ReplayCommand.run(arguments, ThrowingDisk::new, nobody, err));
    String begin =
        "upcall: this build's store threw java.lang.IllegalStateException: of no use, in the turn"
            + " of record ";
    assertTrue(said.toString().startsWith(begin), said::toString);
    assertTrue(said.toString().contains(", after 1 calls:"), said::toString);
  }

  /** What a fault in the store looks like. */
  private static final class ThrowingDisk extends ForwardingDisk {
    ThrowingDisk(Disk disk) {
      super(disk);
    }

    @Override
    public void submit(DiskRequest request) {
      throw new IllegalStateException("of no use");
    }
  }

  private static void use(FsmUpcall store, String directory) {
    store.createDirectory(directory);
    for (int number = 0; number < 30; number++) {
      String path = directory + "/" + number;
      store.write(path, bytes(3000 * number));
      assertEquals(3000 * number, store.readAllBytes(path).length);
    }
    store.delete(directory + "/7");
  }

  /** Content cannot be written on this one: what it is for goes another way. */
  @Test
  void ofAStoreThatDoesSomethingElseTheFirstTransitionIsNamed() throws IOException {
    FsmUpcall store = create();
    try (store) {
      record(store);
      store.createDirectory("/a");
      store.write("/a/small", bytes(100));
      put(store, "/a/large");
      store.write("/a/last", bytes(100));
    }
    TraceSource recording = memory(store);
    Result same = StoreReplay.run(recording);
    assertTrue(same.isSame(), () -> text(same));
    Result result =
        StoreReplay.run(
            recording,
            disk ->
                new FailingDisk(
                    disk,
                    request ->
                        request instanceof DiskRequest.Write
                            && request.ioClass() == IoClass.FOREGROUND_WRITE));
    Result.Difference first = Objects.requireNonNull(result.first(), text(result));
    assertEquals("Stager FINISHING -> FINISHED", first.recorded());
    assertEquals("Stager FINISHING -> FAILED", first.now());
    assertTrue(
        first.before().stream().anyMatch(line -> line.startsWith("disk WRITE (FOREGROUND_WRITE)")),
        () -> text(result));
    assertTrue(text(result).contains("The first that differs, for r"), () -> text(result));
  }

  /** Where the log fails the machines go the same way: how the call ends is another. */
  @Test
  void whatEndsAnotherWayIsNamedToo() throws IOException {
    FsmUpcall store = create();
    try (store) {
      record(store);
      store.createDirectory("/a");
    }
    Result result =
        StoreReplay.run(
            memory(store),
            disk -> new FailingDisk(disk, DiskRequest.DurableWrite.class::isInstance));
    Result.Difference first = Objects.requireNonNull(result.first(), text(result));
    assertEquals("CREATE_DIRECTORY ends: Done", first.recorded());
    assertEquals("CREATE_DIRECTORY ends: Device", first.now());
  }

  /** Some requests fail. */
  private static final class FailingDisk extends ForwardingDisk {
    private final Predicate<DiskRequest> which;

    FailingDisk(Disk disk, Predicate<DiskRequest> which) {
      super(disk);
      this.which = which;
    }

    @Override
    public void submit(DiskRequest request) {
      if (which.test(request)) {
        Completion<Unit> failed = Completion.failed(new Failure.Device("a write", "broken"));
        pass(request.as(request.ioClass(), _ -> request.port().complete(failed)));
      } else {
        pass(request);
      }
    }
  }

  @Test
  void namesAreNotRecorded() throws IOException {
    Path folder = here.resolve("rec");
    FsmUpcall store = create();
    Recording recording =
        Recording.start(store, folder, RecordingConfig.DEFAULT, UUID.randomUUID());
    try (store) {
      record(store);
      use(store);
    }
    recording.close();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String all = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        for (String name : List.of("letters", "secret", "streamed", "program")) {
          assertFalse(all.contains(name), name);
        }
      }
    }
  }

  @Test
  void whatCannotBeReplayedIsRefused() throws IOException {
    FsmUpcall without = create();
    try (without) {
      without.write("/a", bytes(1));
    }
    refused(memory(without), "it has no inputs from the begin on");
    FsmUpcall old = Upcall.open(here.resolve("store.upcall"), CONFIG).fsm();
    try (old) {
      record(old);
      old.write("/b", bytes(1));
    }
    refused(memory(old), "the store was not new when its recording began");
  }

  @Test
  void whereTheFirstCallCannotBeAskedAgainThereIsNothingToCompare() {
    FsmUpcall store = create();
    try (store) {
      record(store);
      store.createSnapshot("then");
      store.write("/b", bytes(1));
    }
    refused(memory(store), "nothing can be asked again: first comes CREATE_SNAPSHOT of r");
  }

  private static void refused(TraceSource recording, String why) {
    Refused refused = assertThrows(Refused.class, () -> StoreReplay.run(recording));
    assertTrue(String.valueOf(refused.getMessage()).contains(why), refused::getMessage);
  }

  @Test
  void aCallThatCannotBeAskedAgainEndsIt() throws IOException {
    FsmUpcall store = create();
    try (store) {
      record(store);
      store.write("/a", bytes(1));
      store.createSnapshot("then");
      store.write("/b", bytes(1));
    }
    Result result = StoreReplay.run(memory(store));
    assertTrue(result.isSame(), () -> text(result));
    assertEquals(1, result.counts().calls());
    assertTrue(
        String.valueOf(result.stop()).startsWith("CREATE_SNAPSHOT of r"), () -> text(result));
  }

  @Test
  void numbersBecomeNamesOfTheSameLength() {
    InventedNames names = new InventedNames();
    String five = names.name(name(5, 123_456_789_012L));
    assertEquals(5, five.length());
    assertEquals(200, names.name(name(200, -1)).length());
    assertEquals(five, names.name(name(5, 123_456_789_012L)));
    assertEquals("..", names.name(name(2, NameNumbers.NONE)));
    Set<String> short40 = new HashSet<>();
    for (int number = 1; number <= 40; number++) {
      short40.add(names.name(name(1, number * 1_000_003L)));
    }
    assertEquals(40, short40.size());
  }

  private static TraceRecord name(int bytes, long number) {
    return new TraceRecord(0, 2, TraceKind.INPUT, 0, bytes, 0, number, 0, 0);
  }
}
