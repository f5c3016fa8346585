package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.AsyncFiles;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.completion.Completion;
import dev.upcall.fsm.DispatcherStoppedException;
import dev.upcall.io.Disk;
import dev.upcall.io.volume.VolumeSpec;
import dev.upcall.io.volume.Volumes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An exception out of an upcall of the user's ends the store's thread. Everybody hears why, and the
 * volume is let go: thread, lock and descriptors.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeadThreadTest {
  private static final int WRITERS = 8;

  @TempDir Path folder;

  /** The bug in the user's code. */
  private static final class Bug extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** In the midst of writes, of which some are on their way to the disk. */
  @ParameterizedTest
  @EnumSource(names = {"RING", "CHANNEL"})
  void theVolumeIsLetGoAndOpensAtOnce(TestedStore tested) throws Exception {
    Path volume = folder.resolve("volume.upcall");
    Map<String, byte[]> acknowledged = new ConcurrentHashMap<>();
    UpcallConfig config = tested.config();
    Upcall store = Upcall.create(volume, config);
    CountDownLatch running = new CountDownLatch(WRITERS * 20);
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      writers.add(
          Thread.ofPlatform().start(() -> writeUntilDead(store, writer, acknowledged, running)));
    }
    assertTrue(running.await(60, TimeUnit.SECONDS));
    Bug bug = new Bug();
    store
        .fsm()
        .execute(
            () -> {
              throw bug;
            });
    for (Thread writer : writers) {
      writer.join();
    }
    assertSame(bug, dead(() -> store.list("/", 10)).getCause());
    assertSame(bug, dead(store::info).getCause());
    assertSame(
        bug,
        assertThrows(RejectedExecutionException.class, () -> store.fsm().execute(() -> {}))
            .getCause());
    assertSame(bug, dead(store::close).getCause());
    store.close();
    assertSame(bug, dead(() -> store.exists("/")).getCause());
    assertEquals(List.of(), open(volume));
    try (Upcall again = Upcall.open(volume, config)) {
      for (Map.Entry<String, byte[]> file : acknowledged.entrySet()) {
        assertArrayEquals(file.getValue(), again.readAllBytes(file.getKey()), file.getKey());
      }
    }
    assertEquals(List.of(), open(volume));
  }

  private static void writeUntilDead(
      Upcall store, int writer, Map<String, byte[]> acknowledged, CountDownLatch running) {
    try {
      for (int i = 0; ; i++) {
        String name = "/f" + writer + "." + i % 40;
        byte[] content = UpcallBehaviour.bytes(writer * 1000 + i, 40_000);
        acknowledged.remove(name);
        store.write(name, content);
        acknowledged.put(name, content);
        running.countDown();
      }
    } catch (DispatcherStoppedException dead) {
      assertTrue(dead.getCause() instanceof Bug);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RING", "CHANNEL"})
  void aProgramOnAThreadOfItsOwnHearsTheCause(TestedStore tested) throws Exception {
    Upcall store = Upcall.create(folder.resolve("volume.upcall"), tested.config());
    AsyncFiles files = store.fsm().newAsyncFiles();
    List<Completion<FileInfo>> heard = new ArrayList<>();
    Bug bug = new Bug();
    store
        .fsm()
        .execute(
            () -> {
              throw bug;
            });
    dead(store::info);
    files.stat(StorePath.ROOT, LinkPolicy.FOLLOW, heard::add);
    while (heard.isEmpty()) {
      files.await(10, Duration.ofSeconds(120));
    }
    assertTrue(heard.getFirst().toString().contains(Bug.class.getName()), heard::toString);
    files.close();
    dead(store::close);
  }

  /** A request that is inside when the thread dies gets no answer; who only polls hears so, too. */
  @ParameterizedTest
  @EnumSource(names = {"RING"})
  void whoOnlyPollsHearsTheCause(TestedStore tested) {
    Upcall store = Upcall.create(folder.resolve("volume.upcall"), tested.config());
    AsyncFiles files = store.fsm().newAsyncFiles();
    Bug bug = new Bug();
    store
        .fsm()
        .execute(
            () -> {
              throw bug;
            });
    files.stat(StorePath.ROOT, LinkPolicy.FOLLOW, completion -> {});
    dead(store::info);
    assertSame(
        bug,
        dead(() -> {
              while (files.outstanding() > 0) {
                files.poll(10);
              }
              throw DispatcherStoppedException.outcomeUnknown(
                  store.fsm().fileManager().dispatcher());
            })
            .getCause());
    files.close();
    dead(store::close);
  }

  /**
   * What ends a thread while it opens a volume, memory for instance, lets the volume go as well.
   */
  @ParameterizedTest
  @EnumSource(names = {"RING", "CHANNEL"})
  void aThreadThatDiesWhileOpeningLetsTheVolumeGo(TestedStore tested) throws Exception {
    Path volume = folder.resolve("volume.upcall");
    UpcallConfig config = tested.config();
    Upcall.create(volume, config).close();
    StoreThread thread = new StoreThread("dies", config);
    Disk disk =
        thread.await(
            port ->
                Volumes.open(
                    VolumeSpec.existing(volume, config.drive().disk()),
                    thread.dispatcher(),
                    thread.reactor(),
                    port));
    assertTrue(disk.sizeBlocks() > 0);
    OutOfMemoryError none = new OutOfMemoryError("none left");
    DispatcherStoppedException died =
        dead(
            () ->
                thread.await(
                    port -> {
                      throw none;
                    }));
    assertSame(none, died.getCause());
    thread.stop();
    assertEquals(List.of(), open(volume));
    Upcall.open(volume, config).close();
  }

  private static DispatcherStoppedException dead(org.junit.jupiter.api.function.Executable call) {
    return assertThrows(DispatcherStoppedException.class, call);
  }

  /** A descriptor that is closed while we look leads nowhere. */
  private static boolean isOf(Path volume, Path descriptor) throws IOException {
    try {
      return Files.isSameFile(descriptor, volume);
    } catch (NoSuchFileException closed) {
      return false;
    }
  }

  /** Descriptors of this process that lead to a volume. */
  private static List<Path> open(Path volume) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        if (isOf(volume, descriptor)) {
          found.add(descriptor);
        }
      }
    }
    return found;
  }
}
