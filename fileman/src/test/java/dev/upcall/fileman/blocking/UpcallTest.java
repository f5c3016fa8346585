package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fileman.AsyncFiles;
import dev.upcall.fileman.AsyncSnapshot;
import dev.upcall.fileman.BatchResult;
import dev.upcall.fileman.FileCondition;
import dev.upcall.fileman.FileContent;
import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.FileRequest;
import dev.upcall.fileman.FileVersion;
import dev.upcall.fileman.LinkPolicy;
import dev.upcall.fileman.MetadataChange;
import dev.upcall.fileman.PutOptions;
import dev.upcall.fileman.StorePath;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallConfig;
import dev.upcall.fileman.UpcallException;
import dev.upcall.fileman.UpcallSnapshot;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.Failure;
import dev.upcall.io.DiskKind;
import dev.upcall.io.NettyReactor;
import dev.upcall.segment.StagedContent;
import dev.upcall.txn.Durability;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The facade on real volumes, over the ring and over the channel. */
class UpcallTest {
  private static final MetadataChange MODE = MetadataChange.NONE.withMode(0600);

  @TempDir Path folder;

  static Stream<DiskKind> disks() {
    // Where the kernel has no ring, the fallback is tested twice under its two names.
    DiskKind first = NettyReactor.ringUnavailable() == null ? DiskKind.RING : DiskKind.AUTO;
    return Stream.of(first, DiskKind.CHANNEL);
  }

  private static UpcallConfig config(DiskKind disk) {
    return UpcallConfig.DEFAULT
        .withMemoryBytes(UpcallConfig.MIN_MEMORY_BYTES)
        .withCapBytes(256L << 20)
        .withDisk(disk);
  }

  private Path volume() {
    return folder.resolve("volume.upcall");
  }

  @ParameterizedTest
  @MethodSource("disks")
  void whatWasWrittenIsThereAfterReopening(DiskKind disk) {
    byte[] small = bytes(1, 300);
    byte[] medium = bytes(2, 20_000);
    byte[] large = bytes(3, 5_000_001);
    try (Upcall store = Upcall.create(volume(), config(disk))) {
      store.createDirectory("/d", false);
      store.write("/d/small", small);
      store.write("/d/medium", medium);
      FileInfo made = store.write("/d/large", large, PutOptions.DEFAULT);
      assertEquals(large.length, made.sizeBytes());
      store.symbolicLink("/link", "d/medium");
      assertArrayEquals(large, store.readAllBytes("/d/large"));
      assertArrayEquals(medium, store.readAllBytes("/link"));
    }
    try (Upcall store = Upcall.open(volume(), config(disk))) {
      assertArrayEquals(small, store.readAllBytes("/d/small"));
      assertArrayEquals(medium, store.readAllBytes("/link"));
      assertArrayEquals(large, store.readAllBytes("/d/large"));
      List<String> names = new ArrayList<>();
      store.forEach("/d", entry -> names.add(entry.name()));
      assertEquals(List.of("large", "medium", "small"), names);
      store.rename("/d", "/e", false);
      store.deleteTree("/e");
      assertFalse(store.exists("/e"));
      assertEquals("d/medium", store.readLink("/link"));
    }
  }

  @Test
  void streamsReadOneVersion() throws IOException {
    byte[] first = bytes(5, 700_000);
    byte[] second = bytes(6, 500);
    try (Upcall store = Upcall.create(volume(), config(DiskKind.AUTO))) {
      store.write("/f", new ByteArrayInputStream(first), PutOptions.DEFAULT);
      try (Upcall.ReadStream stream = store.read("/f")) {
        assertArrayEquals(Arrays.copyOf(first, 1000), stream.readNBytes(1000));
        store.write("/f", second);
        assertArrayEquals(Arrays.copyOfRange(first, 1000, 3000), stream.readNBytes(2000));
        assertEquals(500_000, stream.skip(500_000));
        assertArrayEquals(Arrays.copyOfRange(first, 503_000, first.length), stream.readAllBytes());
        assertEquals(-1, stream.read());
        ByteBuffer some = ByteBuffer.allocate(10);
        assertEquals(10, stream.read(77, some));
        assertArrayEquals(Arrays.copyOfRange(first, 77, 87), some.array());
      }
      assertArrayEquals(second, store.readAllBytes("/f"));
      try (Upcall.ReadStream stream = store.read("/f")) {
        assertArrayEquals(second, stream.readAllBytes());
      }
      store.write("/empty", new byte[0]);
      assertEquals(0, store.readAllBytes("/empty").length);
      try (Upcall.ReadStream stream = store.read("/empty")) {
        assertEquals(-1, stream.read());
      }
    }
  }

  @Test
  void nothingIsSeenOfAPutBeforeItsCommit() {
    byte[] content = bytes(7, 300_000);
    try (Upcall store = Upcall.create(volume(), config(DiskKind.AUTO))) {
      try (Upcall.PutStream put = store.put("/a/b", PutOptions.WITH_PARENTS)) {
        put.write(content, 0, content.length);
        assertFalse(store.exists("/a"));
        assertEquals(content.length, put.commit().sizeBytes());
      }
      assertArrayEquals(content, store.readAllBytes("/a/b"));
      try (Upcall.PutStream put = store.put("/c", PutOptions.DEFAULT)) {
        put.write(content, 0, content.length);
      }
      assertFalse(store.exists("/c"));
      failure(Failure.NotFound.class, () -> store.put("/x/y", PutOptions.DEFAULT));
      failure(Failure.IsADirectory.class, () -> store.put("/a", PutOptions.DEFAULT));
    }
  }

  @Test
  void batchesCommitTogether() {
    try (Upcall store = Upcall.create(volume(), config(DiskKind.AUTO))) {
      byte[] big = bytes(9, 200_000);
      StagedContent staged = store.stage(new ByteArrayInputStream(big));
      List<FileRequest> requests = new ArrayList<>();
      requests.add(new FileRequest.CreateDirectory(StorePath.of("/d"), false, MetadataChange.NONE));
      for (int i = 0; i < 200; i++) {
        requests.add(
            new FileRequest.Put(
                StorePath.of("/d/f" + i),
                new FileContent.Bytes(bytes(i, i * 10)),
                PutOptions.DEFAULT));
      }
      requests.add(
          new FileRequest.Put(
              StorePath.of("/d/big"), new FileContent.Staged(staged), PutOptions.DEFAULT));
      requests.add(new FileRequest.SetProperty("state", new byte[] {42}));
      BatchResult result = store.batch(requests);
      assertEquals(203, result.files().size());
      assertArrayEquals(new byte[] {42}, store.property("state").orElseThrow());
      assertArrayEquals(big, store.readAllBytes("/d/big"));
      for (int i = 0; i < 200; i++) {
        assertArrayEquals(bytes(i, i * 10), store.readAllBytes("/d/f" + i));
      }
      StagedContent lost = store.stage(new ByteArrayInputStream(big));
      failure(
          Failure.NotFound.class,
          () ->
              store.batch(
                  List.of(
                      new FileRequest.Put(
                          StorePath.of("/e"), new FileContent.Staged(lost), PutOptions.DEFAULT),
                      new FileRequest.Delete(StorePath.of("/missing")))));
      assertFalse(store.exists("/e"));
      store.discard(store.stage(new ByteArrayInputStream(big)));
    }
  }

  @ParameterizedTest
  @MethodSource("disks")
  void conditionsAreObeyed(DiskKind disk) {
    try (Upcall store = Upcall.create(volume(), config(disk))) {
      FileVersion first = store.write("/a", bytes(1, 10)).fileVersion();
      FileCondition untouched = FileCondition.only(first);
      FileVersion second =
          store.setMetadata("/a", LinkPolicy.FOLLOW, MODE, untouched).fileVersion();
      PutOptions stale = PutOptions.DEFAULT.withCondition(untouched);
      failure(Failure.VersionMismatch.class, () -> store.write("/a", bytes(2, 10), stale));
      failure(Failure.VersionMismatch.class, () -> store.put("/a", stale));
      failure(Failure.VersionMismatch.class, () -> store.delete("/a", untouched));
      failure(Failure.VersionMismatch.class, () -> store.deleteTree("/a", untouched));
      store.write("/b", bytes(3, 10));
      failure(Failure.VersionMismatch.class, () -> store.rename("/b", "/a", untouched));
      failure(Failure.AlreadyExists.class, () -> store.rename("/b", "/a", FileCondition.ABSENT));
      assertArrayEquals(bytes(1, 10), store.readAllBytes("/a"));
      FileVersion moved = store.rename("/b", "/a", FileCondition.only(second)).fileVersion();
      store.delete("/a", FileCondition.only(moved));
      assertFalse(store.exists("/a"));
    }
  }

  @ParameterizedTest
  @MethodSource("disks")
  void aSnapshotStaysWhatItWas(DiskKind disk) {
    UpcallSnapshot left;
    try (Upcall store = Upcall.create(volume(), config(disk))) {
      store.createDirectory("/d", false);
      store.write("/d/small", bytes(1, 3000));
      store.write("/d/large", bytes(2, 500_000));
      store.symbolicLink("/d/link", "small");
      store.setProperty("state", new byte[] {1});
      UpcallSnapshot then = store.snapshot();
      Upcall.ReadStream stream = then.read("/d/large");
      store.write("/d/small", bytes(3, 4000));
      store.delete("/d/large");
      store.delete("/d/link");
      store.write("/d/new", bytes(4, 10));
      store.setProperty("state", new byte[] {2});
      store.rename("/d", "/e", false);
      store.checkpoint();
      assertFalse(then.exists("/e"));
      assertEquals(3, then.list("/d", null, 100).entries().size());
      assertArrayEquals(bytes(1, 3000), then.readAllBytes("/d/link"));
      assertEquals("small", then.readLink("/d/link"));
      assertArrayEquals(new byte[] {1}, then.property("state").orElseThrow());
      assertArrayEquals(bytes(2, 500_000), then.readAllBytes("/d/large"));
      assertArrayEquals(bytes(3, 4000), store.readAllBytes("/e/small"));
      assertTrue(then.scn() < store.info().scn());
      assertTrue(then.info().heldBytes() >= 500_000, () -> then.info().toString());
      then.close();
      then.close();
      failure(Failure.Closed.class, () -> then.stat("/d"));
      ByteBuffer all = ByteBuffer.allocate(500_000);
      while (all.hasRemaining()) {
        assertTrue(stream.read(all.position(), all) > 0);
      }
      assertArrayEquals(bytes(2, 500_000), all.array());
      stream.close();
      left = store.snapshot();
    }
    left.close();
  }

  @ParameterizedTest
  @MethodSource("disks")
  void aNamedSnapshotStays(DiskKind disk) throws InterruptedException {
    try (Upcall store = Upcall.create(volume(), config(disk))) {
      store.write("/large", bytes(1, 500_000));
      store.write("/small", bytes(2, 3000));
      assertEquals("then", store.createSnapshot("then").name());
      store.write("/large", bytes(3, 500_000));
      store.delete("/small");
      failure(Failure.AlreadyExists.class, () -> store.createSnapshot("then"));
      failure(Failure.Invalid.class, () -> store.createSnapshot("a/b"));
      failure(Failure.NotFound.class, () -> store.snapshot("when"));
    }
    try (Upcall store = Upcall.open(volume(), config(disk));
        AsyncFiles files = store.newAsyncFiles()) {
      try (UpcallSnapshot then = store.snapshot("then")) {
        assertArrayEquals(bytes(1, 500_000), then.readAllBytes("/large"));
        assertArrayEquals(bytes(2, 3000), then.readAllBytes("/small"));
      }
      assertFalse(store.exists("/small"));
      assertTrue(store.snapshots().heldBytes() >= 500_000, () -> store.snapshots().toString());
      List<String> log = new ArrayList<>();
      files.snapshot("then", opened -> lookInto(opened, log));
      files.snapshots(list -> log.add(list.toString()));
      files.createSnapshot("now", made -> log.add(made.toString()));
      files.dropSnapshot("then", dropped -> log.add("dropped " + dropped));
      while (files.outstanding() > 0) {
        files.await(100, TimeUnit.SECONDS.toNanos(10));
      }
      assertTrue(log.contains("size 3000"), log::toString);
      assertEquals(
          List.of("now"), store.snapshots().snapshots().stream().map(s -> s.name()).toList());
      store.dropSnapshot("now");
    }
  }

  private static void lookInto(Completion<AsyncSnapshot> opened, List<String> log) {
    if (opened instanceof Completion.Done<AsyncSnapshot>(AsyncSnapshot then)) {
      then.stat(
          StorePath.of("/small"),
          LinkPolicy.FOLLOW,
          found -> {
            if (found instanceof Completion.Done<FileInfo>(FileInfo info)) {
              log.add("size " + info.sizeBytes());
            }
            then.close(closed -> log.add("closed " + closed));
          });
    }
  }

  @ParameterizedTest
  @MethodSource("disks")
  void acknowledgedEarlyAndFlushed(DiskKind disk) {
    try (Upcall store = Upcall.create(volume(), config(disk))) {
      for (int i = 0; i < 50; i++) {
        FileContent content = new FileContent.Bytes(bytes(i, 3000));
        StorePath path = StorePath.of("/f" + i);
        store.batch(
            List.of(new FileRequest.Put(path, content, PutOptions.DEFAULT)), Durability.ASYNC);
      }
      try (Upcall.PutStream put = store.put("/last", PutOptions.DEFAULT)) {
        put.write(bytes(99, 300_000), 0, 300_000);
        assertEquals(300_000, put.commit(Durability.ASYNC).sizeBytes());
      }
      long seen = store.info().scn();
      store.flush();
      assertTrue(store.info().durableScn() >= seen);
      assertArrayEquals(bytes(99, 300_000), store.readAllBytes("/last"));
    }
  }

  @Test
  void failuresAreTyped() {
    UpcallConfig config = config(DiskKind.AUTO);
    failure(Failure.NotFound.class, () -> Upcall.open(volume(), config));
    try (Upcall store = Upcall.create(volume(), config)) {
      failure(Failure.Invalid.class, () -> store.stat("relative"));
      failure(Failure.Invalid.class, () -> store.stat("/a/../b"));
      failure(Failure.NotFound.class, () -> store.readAllBytes("/missing"));
      failure(Failure.IsADirectory.class, () -> store.readAllBytes("/"));
      failure(Failure.Conflict.class, () -> Upcall.open(volume(), config));
      failure(Failure.AlreadyExists.class, () -> Upcall.create(volume(), config));
    }
  }

  @Test
  void afterCloseEverythingIsClosed() {
    Upcall store = Upcall.create(volume(), config(DiskKind.AUTO));
    store.write("/f", bytes(1, 100_000));
    Upcall.ReadStream stream = store.read("/f");
    Upcall.PutStream put = store.put("/g", PutOptions.DEFAULT);
    put.write(bytes(2, 300_000), 0, 300_000);
    store.close();
    store.close();
    failure(Failure.Closed.class, () -> store.stat("/"));
    failure(Failure.Closed.class, () -> stream.read(0, ByteBuffer.allocate(1)));
    failure(Failure.Closed.class, () -> put.commit());
    stream.close();
    put.close();
    try (Upcall again = Upcall.open(volume(), config(DiskKind.AUTO))) {
      assertFalse(again.exists("/g"));
    }
  }

  @Test
  void theStoresOwnThreadIsRefused() throws Exception {
    try (Upcall store = Upcall.create(volume(), config(DiskKind.AUTO))) {
      java.util.concurrent.CompletableFuture<Throwable> thrown =
          new java.util.concurrent.CompletableFuture<>();
      store.execute(
          () -> {
            try {
              store.stat("/");
              thrown.complete(new AssertionError("not refused"));
            } catch (IllegalStateException refused) {
              thrown.complete(refused);
            }
          });
      assertInstanceOf(IllegalStateException.class, thrown.get(10, TimeUnit.SECONDS));
    }
  }

  @ParameterizedTest
  @MethodSource("disks")
  void manyVirtualThreadsUseOneStore(DiskKind disk) throws Exception {
    int threads = 200;
    try (Upcall store = Upcall.create(volume(), config(disk));
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int seed = i;
        all.add(executor.submit(() -> workOn(store, "/t" + seed % 20 + "/f" + seed, seed)));
      }
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
      int[] count = new int[1];
      store.forEach("/", directory -> store.forEach("/" + directory.name(), _ -> count[0]++));
      assertEquals(threads, count[0]);
    }
    try (Upcall store = Upcall.open(volume(), config(disk))) {
      for (int seed = 0; seed < threads; seed++) {
        assertArrayEquals(
            bytes(seed, 1 + seed * 700), store.readAllBytes("/t" + seed % 20 + "/f" + seed));
      }
    }
  }

  private static void workOn(Upcall store, String path, int seed) {
    byte[] content = bytes(seed, 1 + seed * 700);
    store.write(path + ".tmp", content, PutOptions.WITH_PARENTS);
    assertArrayEquals(content, store.readAllBytes(path + ".tmp"));
    store.rename(path + ".tmp", path, true);
    store.setMetadata(path, LinkPolicy.FOLLOW, MetadataChange.NONE.withMode(0600));
    assertEquals(0600, store.stat(path).mode());
  }

  @Test
  void closingUnderLoadKeepsWhatWasAcknowledged() throws Exception {
    Upcall store = Upcall.create(volume(), config(DiskKind.AUTO));
    java.util.concurrent.CountDownLatch some = new java.util.concurrent.CountDownLatch(300);
    List<Future<Integer>> acknowledged = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 30; i++) {
        int writer = i;
        acknowledged.add(executor.submit(() -> writeUntilClosed(store, writer, some)));
      }
      assertTrue(some.await(60, TimeUnit.SECONDS));
      store.close();
    }
    try (Upcall again = Upcall.open(volume(), config(DiskKind.AUTO))) {
      for (int writer = 0; writer < 30; writer++) {
        for (int i = 0; i < acknowledged.get(writer).get(); i++) {
          int size = 1 + i * 997 % 90_000;
          assertArrayEquals(bytes(i, size), again.readAllBytes("/w" + writer + "-" + i));
        }
      }
    }
  }

  private static int writeUntilClosed(
      Upcall store, int writer, java.util.concurrent.CountDownLatch some) {
    for (int i = 0; ; i++) {
      try {
        store.write("/w" + writer + "-" + i, bytes(i, 1 + i * 997 % 90_000));
        some.countDown();
      } catch (UpcallException closed) {
        assertInstanceOf(Failure.Closed.class, closed.failure(), closed.getMessage());
        return i;
      }
    }
  }

  @Test
  void aProgramOnItsOwnThreadUsesPassivePorts() throws Exception {
    try (Upcall store = Upcall.create(volume(), config(DiskKind.AUTO));
        AsyncFiles files = store.newAsyncFiles()) {
      byte[] content = bytes(4, 50_000);
      List<String> log = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        StorePath path = StorePath.of("/f" + i);
        FileRequest put =
            new FileRequest.Put(path, new FileContent.Bytes(content), PutOptions.DEFAULT);
        files.batch(
            List.of(put),
            Durability.SYNC,
            _ -> files.read(path, 100, 1000, read -> log.add(check(content, read))));
      }
      assertTrue(log.isEmpty());
      while (files.outstanding() > 0) {
        files.await(100, TimeUnit.SECONDS.toNanos(10));
      }
      assertEquals(50, log.stream().filter("good"::equals).count());
      files.stat(StorePath.of("/nowhere"), LinkPolicy.FOLLOW, info -> log.add(info.toString()));
      assertEquals(1, files.await(1, TimeUnit.SECONDS.toNanos(10)));
      assertTrue(log.getLast().contains("NotFound"), log.getLast());
      files.flush(flushed -> log.add(flushed.toString()));
      assertEquals(1, files.await(1, TimeUnit.SECONDS.toNanos(10)));
      assertTrue(log.getLast().contains("Done"), log.getLast());
    }
  }

  private static String check(byte[] content, Completion<byte[]> read) {
    return read instanceof Completion.Done<byte[]>(byte[] bytes)
            && Arrays.equals(bytes, Arrays.copyOfRange(content, 100, 1100))
        ? "good"
        : "bad: " + read;
  }

  @Test
  void foreignAndBrokenVolumesAreLeftAlone() throws IOException {
    byte[] foreign =
        "not a volume, but somebody's file".repeat(10_000).getBytes(StandardCharsets.UTF_8);
    Files.write(volume(), foreign);
    failure(Failure.Invalid.class, () -> Upcall.openOrCreate(volume(), config(DiskKind.AUTO)));
    assertArrayEquals(foreign, Files.readAllBytes(volume()));
  }

  @Test
  void aVolumeThatWasCutShortIsRefusedAndLeftAlone() throws IOException {
    try (Upcall store = Upcall.create(volume(), config(DiskKind.AUTO))) {
      store.write("/f", bytes(1, 3_000_000), PutOptions.DEFAULT);
    }
    long[] cuts = {Files.size(volume()) - 4096, 1 << 20, 4097, 4096, 100, 0};
    for (long cut : cuts) {
      try (var channel =
          java.nio.channels.FileChannel.open(volume(), java.nio.file.StandardOpenOption.WRITE)) {
        channel.truncate(cut);
      }
      byte[] before = Files.readAllBytes(volume());
      UpcallException thrown =
          assertThrows(
              UpcallException.class, () -> Upcall.open(volume(), config(DiskKind.AUTO)), "" + cut);
      assertTrue(
          thrown.failure() instanceof Failure.Invalid
              || thrown.failure() instanceof Failure.Corrupt,
          () -> cut + ": " + thrown.failure());
      assertArrayEquals(before, Files.readAllBytes(volume()), "cut " + cut);
    }
  }

  @Test
  void flippedBitsAreFoundAndNeverServed() throws IOException {
    byte[] marked = bytes(17, 2_000_000);
    try (Upcall store = Upcall.create(volume(), config(DiskKind.AUTO))) {
      store.write("/marked", marked, PutOptions.DEFAULT);
      store.write("/other", bytes(2, 100_000), PutOptions.DEFAULT);
    }
    byte[] volume = Files.readAllBytes(volume());
    int at = find(volume, Arrays.copyOfRange(marked, 1_000_000, 1_000_064));
    volume[at] ^= 4;
    volume[0] ^= 1;
    Files.write(volume(), volume);
    try (Upcall store = Upcall.open(volume(), config(DiskKind.AUTO))) {
      assertArrayEquals(bytes(2, 100_000), store.readAllBytes("/other"));
      failure(Failure.Corrupt.class, () -> store.readAllBytes("/marked"));
      try (Upcall.ReadStream stream = store.read("/marked")) {
        ByteBuffer head = ByteBuffer.allocate(1000);
        stream.read(0, head);
        assertArrayEquals(Arrays.copyOf(marked, 1000), head.array());
      }
    }
  }

  private static int find(byte[] in, byte[] what) {
    for (int i = 0; i + what.length <= in.length; i++) {
      if (in[i] == what[0] && Arrays.equals(in, i, i + what.length, what, 0, what.length)) {
        return i;
      }
    }
    throw new AssertionError("the content is not on the volume");
  }

  private static void failure(Class<? extends Failure> how, Runnable call) {
    UpcallException thrown = assertThrows(UpcallException.class, call::run);
    assertInstanceOf(how, thrown.failure(), thrown.getMessage());
  }

  private static byte[] bytes(int seed, int size) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
