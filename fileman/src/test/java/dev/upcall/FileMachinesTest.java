package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.Times;
import dev.upcall.fileman.background.Expirer;
import dev.upcall.fileman.background.ExpirerState;
import dev.upcall.fileman.background.Reclaimer;
import dev.upcall.fileman.background.ReclaimerState;
import dev.upcall.fileman.machine.BatchRun;
import dev.upcall.fileman.machine.OpenRun;
import dev.upcall.fileman.machine.StorePutHandle;
import dev.upcall.fsm.StateMachineDocs;
import dev.upcall.fsm.TransitionCoverage;
import dev.upcall.request.FileRequest;
import dev.upcall.sim.FaultPlan;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The machines of the file manager on their rarer ways; together the tests take every one. */
class FileMachinesTest {
  private static final TransitionCoverage COVERAGE = new TransitionCoverage();
  private static final FaultPlan BROKEN_WRITES = FaultPlan.NONE.withErrors(0, 1_000_000, 1_000_000);

  private final FilesFixture fixture = FilesFixture.create(7);
  private final FileManager files = fixture.files();

  @AfterEach
  void closeAndCount() {
    fixture.close();
    COVERAGE.add(fixture.world().dispatcher().recorder());
  }

  @AfterAll
  static void everyWayWasTaken() {
    COVERAGE.assertAllTaken(
        BatchRun.TRANSITIONS,
        StorePutHandle.TRANSITIONS,
        OpenRun.TRANSITIONS,
        Reclaimer.TRANSITIONS,
        Expirer.TRANSITIONS);
  }

  @Test
  void pagesAreFresh() {
    StateMachineDocs.check(
        BatchRun.TRANSITIONS,
        StorePutHandle.TRANSITIONS,
        OpenRun.TRANSITIONS,
        Reclaimer.TRANSITIONS,
        Expirer.TRANSITIONS);
  }

  @Test
  void aFullVolumeRefusesReadsOnAndDeletes() {
    byte[] piece = new byte[300_000];
    Arrays.fill(piece, (byte) 1); // zeros would take no room
    int written = 0;
    Completion<BatchResult> result = put("/d/f0", piece);
    while (result instanceof Completion.Done && written < 1000) {
      written++;
      result = put("/d/f" + written, piece);
    }
    assertFailed(Failure.VolumeFull.class, result);
    assertTrue(written > 10, "written: " + written);
    assertArrayEquals(piece, fixture.read("/d/f0"));
    fixture.<Unit>get(port -> files.deleteTree(path("/d"), port));
    fixture.reclaimEverything();
    assertEquals("", files.fileManagerInfo().reclaimFailure());
    assertEquals(0, fixture.names());
    assertEquals(1, fixture.inodes());
    fixture.<Unit>get(files.store()::checkpoint);
    for (int i = 0; i < written; i++) {
      assertInstanceOf(Completion.Done.class, put("/e/f" + i, piece), "again " + i);
    }
  }

  @Test
  void aBrokenDeviceFailsPutsAndStopsTheReclaimer() {
    assertInstanceOf(Completion.Done.class, put("/a", new byte[10]));
    PutHandle put = fixture.get(port -> files.put(path("/p"), PutOptions.DEFAULT, port));
    byte[] written = new byte[100_000];
    Arrays.fill(written, (byte) 1); // zeros would not be
    fixture.<Unit>get(port -> put.append(ByteBuffer.wrap(written), port));
    PutHandle other = fixture.get(port -> files.put(path("/q"), PutOptions.DEFAULT, port));
    fixture.<Unit>get(port -> other.append(ByteBuffer.allocate(100), port));
    fixture.world().disk().setFaults(BROKEN_WRITES);
    assertFailed(Failure.Device.class, fixture.<FileInfo>await(put::commit));
    assertInstanceOf(Completion.Failed.class, fixture.<FileInfo>await(other::commit));
    assertInstanceOf(Completion.Failed.class, put("/b", new byte[10]));
    assertEquals(10, fixture.read("/a").length);
    assertFalse(files.store().info().readOnlyReason().isEmpty());

    Reclaimer reclaimer = new Reclaimer(files.store(), 2);
    reclaimer.wake();
    fixture.world().runUntil(() -> reclaimer.state() == ReclaimerState.STOPPED);
    assertTrue(reclaimer.failure().contains("read-only"), reclaimer.failure());
    close(reclaimer);
    Expirer expirer = new Expirer(files.store(), 2);
    expirer.begin();
    expirer.expect(5);
    fixture.world().runUntil(() -> expirer.state() == ExpirerState.STOPPED);
    assertTrue(expirer.failure().contains("read-only"), expirer.failure());
    close(expirer);
  }

  @Test
  void theReclaimerWaitsWhileTheStoreIsBusy() {
    assertInstanceOf(Completion.Done.class, put("/t/f", new byte[10]));
    List<Completion<Long>> answers = new ArrayList<>();
    for (int i = 0; i < 1024; i++) {
      files.store().query(view -> Completion.done(view.scn()), answers::add);
    }
    Reclaimer reclaimer = new Reclaimer(files.store(), 2);
    Reclaimer paused = new Reclaimer(files.store(), 2);
    reclaimer.wake();
    paused.wake();
    fixture.world().runUntil(() -> reclaimer.state() == ReclaimerState.PAUSED);
    close(paused);
    fixture.world().runUntil(() -> reclaimer.state() == ReclaimerState.IDLE);
    assertEquals(1024, answers.size());
    close(reclaimer);
    Reclaimer stepping = new Reclaimer(files.store(), 2);
    stepping.wake();
    assertEquals(ReclaimerState.STEPPING, stepping.state());
    close(stepping);
  }

  @Test
  void theExpirerWaitsWhileTheStoreIsBusy() {
    put("/f", new byte[10], PutOptions.DEFAULT.withExpiry(Expiry.after(Duration.ofHours(1))));
    List<Completion<Long>> answers = new ArrayList<>();
    for (int i = 0; i < 1024; i++) {
      files.store().query(view -> Completion.done(view.scn()), answers::add);
    }
    Expirer expirer = new Expirer(files.store(), 2);
    Expirer paused = new Expirer(files.store(), 2);
    expirer.begin();
    paused.begin();
    fixture.world().runUntil(() -> paused.state() == ExpirerState.PAUSED);
    close(paused);
    fixture.world().runUntil(() -> expirer.state() == ExpirerState.WAITING);
    assertEquals(1024, answers.size());
    close(expirer);
  }

  @Test
  void theExpirerIsClosedInAnyState() {
    Expirer idle = new Expirer(files.store(), 2);
    idle.expect(Times.NEVER);
    assertEquals(ExpirerState.IDLE, idle.state());
    idle.begin();
    assertEquals(ExpirerState.STEPPING, idle.state());
    fixture.world().runUntil(() -> idle.state() == ExpirerState.IDLE);
    idle.expect(fixture.now() + 30_000_000_000L);
    idle.expect(fixture.now() + 20_000_000_000L);
    assertEquals(ExpirerState.WAITING, idle.state());
    fixture.world().runUntil(() -> idle.state() == ExpirerState.IDLE);
    close(idle);
    Expirer stepping = new Expirer(files.store(), 2);
    stepping.begin();
    close(stepping);
  }

  @Test
  void twoCanOpenTheSameNewFile() {
    List<Completion<FileHandle>> opened = new ArrayList<>();
    files.open(path("/f"), OpenMode.CREATE, opened::add);
    files.open(path("/f"), OpenMode.CREATE, opened::add);
    files.open(path("/no/f"), OpenMode.CREATE, opened::add);
    files.open(path("/f"), OpenMode.EXISTING, opened::add);
    fixture.world().runUntil(() -> opened.size() == 4);
    long done = opened.stream().filter(c -> c instanceof Completion.Done).count();
    assertEquals(2, done, opened::toString);
    assertEquals(1, fixture.names());
    OpenMode emptied = new OpenMode(Existence.ANY, Parents.MAKE, OpenMode.Existing.TRUNCATE, 0644);
    assertInstanceOf(Completion.Done.class, put("/f", new byte[10]));
    fixture.<FileHandle>get(port -> files.open(path("/f"), emptied, port));
    assertEquals(0, fixture.stat("/f").sizeBytes());
  }

  @Test
  void putsEndInEveryWay() {
    PutHandle given = fixture.get(port -> files.put(path("/a"), PutOptions.DEFAULT, port));
    given.abandon();
    PutHandle kept = fixture.get(port -> files.put(path("/a"), PutOptions.DEFAULT, port));
    fixture.<FileInfo>get(kept::commit);
    PutHandle late =
        fixture.get(
            port ->
                files.put(
                    path("/b"), PutOptions.DEFAULT.withExistence(Existence.MUST_NOT_EXIST), port));
    assertInstanceOf(Completion.Done.class, put("/b", new byte[3]));
    assertFailed(Failure.AlreadyExists.class, fixture.<FileInfo>await(late::commit));
    assertEquals(3, fixture.stat("/b").sizeBytes());
    assertEquals(0, files.fileManagerInfo().handlesOpen());
  }

  @Test
  void aCommitThatIsNotLetInEndsThePut() {
    PutHandle put = fixture.get(port -> files.put(path("/a"), PutOptions.DEFAULT, port));
    fixture.<Unit>get(port -> put.append(ByteBuffer.wrap(new byte[100_000]), port));
    int[] answered = new int[1];
    int asked = 0;
    for (; files.fileManagerInfo().requestsInside() < FilesFixture.MAX_REQUESTS; asked++) {
      files.stat(StorePath.ROOT, LinkPolicy.FOLLOW, _ -> answered[0]++);
    }
    Completion<FileInfo> refused = fixture.await(put::commit);
    assertFailed(Failure.Busy.class, refused);
    assertEquals(0, files.fileManagerInfo().handlesOpen());
    int all = asked;
    fixture.world().runUntil(() -> answered[0] == all);
    assertFailed(Failure.Closed.class, fixture.<FileInfo>await(put::commit));
    assertEquals(0, fixture.names());
  }

  @Test
  void manyAtOnceLeaveASoundNamespace() {
    int[] answered = new int[1];
    int asked = 300;
    for (int i = 0; i < asked; i++) {
      int which = i;
      FileRequest request =
          switch (i % 6) {
            case 0, 1, 2 ->
                new FileRequest.Put(
                    path("/d" + i % 7 + "/f" + i % 11),
                    new FileContent.Bytes(new byte[which * 20]),
                    PutOptions.WITH_PARENTS);
            case 3 -> new FileRequest.Rename(path("/d" + i % 7), path("/d" + i % 5), Existence.ANY);
            case 4 -> new FileRequest.DeleteTree(path("/d" + i % 7));
            default ->
                new FileRequest.Rename(
                    path("/d" + i % 7), path("/d" + i % 3 + "/s"), Existence.MUST_NOT_EXIST);
          };
      files.batch(List.of(request), Durability.SYNC, _ -> answered[0]++);
    }
    fixture.world().runUntil(() -> answered[0] == asked);
    fixture.reclaimEverything();
    int reachable = reachable("/");
    assertEquals(reachable, fixture.inodes());
    assertEquals(reachable - 1, fixture.names());
    assertEquals(0, fixture.orphans());
    assertTrue(reachable > 5, "reachable: " + reachable);
  }

  private int reachable(String directory) {
    int count = 1;
    for (FileInfo info : fixture.list(directory, 100)) {
      String path = directory.equals("/") ? "/" + info.name() : directory + "/" + info.name();
      count += info.isDirectory() ? reachable(path) : 1;
    }
    return count;
  }

  private void close(Reclaimer reclaimer) {
    close(reclaimer::close);
  }

  private void close(Expirer expirer) {
    close(expirer::close);
  }

  private void close(Consumer<Runnable> machine) {
    AtomicBoolean quiet = new AtomicBoolean();
    machine.accept(() -> quiet.set(true));
    assertFalse(quiet.get());
    fixture.world().runUntil(quiet::get);
  }

  private Completion<BatchResult> put(String path, byte[] content) {
    return put(path, content, PutOptions.WITH_PARENTS);
  }

  private Completion<BatchResult> put(String path, byte[] content, PutOptions options) {
    return fixture.batch(new FileRequest.Put(path(path), new FileContent.Bytes(content), options));
  }

  private static StorePath path(String text) {
    return StorePath.of(text);
  }

  private static void assertFailed(Class<? extends Failure> how, Completion<?> completion) {
    Completion.Failed<?> failed = assertInstanceOf(Completion.Failed.class, completion);
    assertInstanceOf(how, failed.failure());
  }
}
