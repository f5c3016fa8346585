package dev.upcall.io.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.config.DiskKind;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.Errno;
import dev.upcall.io.LibC;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waiting for a volume that somebody else has. */
class VolumeClaimTest {
  private static final long A_WHILE = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LONG = TimeUnit.SECONDS.toNanos(60);

  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void makeVolume() {
    path = folder.resolve("volume");
    done(new VolumeOpener(VolumeSpec.create(path, DiskKind.CHANNEL, 64)).open()).close();
  }

  private OpenVolume open(boolean readOnly) {
    VolumeSpec spec = VolumeSpec.existing(path, DiskKind.CHANNEL).withReadOnly(readOnly);
    return done(new VolumeOpener(spec).open());
  }

  private static <T> T done(Completion<T> completion) {
    return completion instanceof Completion.Done<T>(T value)
        ? value
        : org.junit.jupiter.api.Assertions.fail(completion.toString());
  }

  private boolean isFree() {
    VolumeSpec spec = VolumeSpec.existing(path, DiskKind.CHANNEL);
    return switch (new VolumeOpener(spec).open()) {
      case Completion.Done<OpenVolume>(OpenVolume volume) -> {
        volume.close();
        yield true;
      }
      case Completion.Failed<OpenVolume>(Failure why) -> {
        assertInstanceOf(Failure.Conflict.class, why);
        yield false;
      }
    };
  }

  @Test
  void aVolumeOfNobodyIsHeldAtOnce() throws Exception {
    try (VolumeClaim claim = done(VolumeClaim.of(path))) {
      assertTrue(done(claim.await(0)));
      assertFalse(isFree());
      assertTrue(claim.fenceNanos() > 0);
    }
    assertTrue(isFree(), "a claim that nobody used lets the volume go");
  }

  @Test
  void whatWasWaitedForIsUsedByOneOpening() throws Exception {
    OpenVolume owner = open(false);
    BlockDevice device;
    try (VolumeClaim claim = done(VolumeClaim.of(path))) {
      assertFalse(done(claim.await(A_WHILE)));
      assertEquals("another store in this process", claim.owner());
      owner.close();
      assertTrue(done(claim.await(LONG)));
      device = done(Volumes.openDevice(VolumeSpec.claimed(claim, DiskKind.CHANNEL)));
    }
    assertFalse(isFree(), "the opening has it now");
    device.close();
    assertTrue(isFree());
  }

  @Test
  void readersAreWaitedForAndNotHindered() throws Exception {
    OpenVolume reader = open(true);
    try (VolumeClaim claim = done(VolumeClaim.of(path))) {
      assertFalse(done(claim.await(A_WHILE)));
      OpenVolume another = open(true);
      reader.close();
      assertFalse(done(claim.await(A_WHILE)));
      another.close();
      assertTrue(done(claim.await(LONG)));
    }
  }

  @Test
  void ofSeveralOneHoldsIt() throws Exception {
    OpenVolume owner = open(false);
    try (VolumeClaim one = done(VolumeClaim.of(path));
        VolumeClaim two = done(VolumeClaim.of(path))) {
      assertFalse(done(one.await(A_WHILE)));
      assertFalse(done(two.await(A_WHILE)));
      owner.close();
      while (!done(one.await(A_WHILE)) && !done(two.await(A_WHILE))) {
        Thread.onSpinWait();
      }
      boolean oneHolds = done(one.await(0));
      VolumeClaim holder = oneHolds ? one : two;
      VolumeClaim waiter = oneHolds ? two : one;
      assertFalse(done(waiter.await(A_WHILE)));
      holder.close();
      assertTrue(done(waiter.await(LONG)));
    }
  }

  @Test
  void whoWaitStandInLine() throws Exception {
    OpenVolume owner = open(false);
    try (VolumeClaim one = done(VolumeClaim.of(path))) {
      while (!one.isNext()) {
        assertFalse(done(one.await(A_WHILE)));
      }
      try (VolumeClaim two = done(VolumeClaim.of(path))) {
        assertFalse(done(two.await(A_WHILE)));
        assertFalse(two.isNext());
        owner.close();
        assertTrue(done(one.await(LONG)));
        assertFalse(one.isNext(), "it has it");
        while (!two.isNext()) {
          assertFalse(done(two.await(A_WHILE)));
        }
        VolumeClaim holder = one;
        holder.close();
        assertTrue(done(two.await(LONG)));
      }
    }
  }

  @Test
  void whoGaveUpTakesNothing() throws Exception {
    OpenVolume owner = open(false);
    VolumeClaim claim = done(VolumeClaim.of(path));
    claim.close();
    try (VolumeClaim another = done(VolumeClaim.of(path))) {
      owner.close();
      assertTrue(done(another.await(LONG)));
    }
    // The thread of the first may have the lock for a moment, to let it go.
    while (!isFree()) {
      Thread.onSpinWait();
    }
  }

  /** Waits until its thread has the file: else it may find only the next one of this name. */
  private static void standInLine(VolumeClaim claim) throws InterruptedException {
    while (!claim.isNext()) {
      assertFalse(done(claim.await(A_WHILE)));
    }
  }

  @Test
  void aRemovedOrReplacedVolumeIsNoticed() throws Exception {
    OpenVolume owner = open(false);
    try (VolumeClaim claim = done(VolumeClaim.of(path))) {
      standInLine(claim);
      Path aside = folder.resolve("aside");
      Files.move(path, aside);
      assertEquals(
          new Failure.Conflict("volume " + path + " was removed; nothing was changed"),
          refusal(claim));
      Files.copy(aside, path);
      assertEquals(refusal(claim), refusal(claim), "said once, said again");
    }
    Files.delete(path);
    makeVolume();
    OpenVolume second = open(false);
    try (VolumeClaim claim = done(VolumeClaim.of(path))) {
      standInLine(claim);
      Path other = Files.copy(folder.resolve("aside"), folder.resolve("other"));
      Files.move(other, path, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      assertEquals(
          new Failure.Conflict(
              "volume " + path + " was replaced by another file; nothing was changed"),
          refusal(claim));
    }
    second.close();
    owner.close();
  }

  /** Nobody looked between the replacement and the end of the owner: the lock is of the old one. */
  @Test
  void aLockOnTheFileThatWasThereIsNoLock() throws IOException {
    Path aside = folder.resolve("aside");
    VolumeSpec spec = VolumeSpec.existing(path, DiskKind.CHANNEL);
    LibC libC = new LibC();
    VolumeOpener opener =
        new VolumeOpener(
            spec,
            (fd, shared, wait) -> {
              try {
                Files.move(path, aside);
                Files.copy(aside, path);
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
              return libC.lockDescription(fd, shared, wait);
            });
    assertEquals(
        Completion.failed(
            new Failure.Conflict(
                "volume " + path + " was replaced by another file; nothing was changed")),
        opener.open());
    assertTrue(isFree());
  }

  private static Failure refusal(VolumeClaim claim) throws InterruptedException {
    return assertInstanceOf(Completion.Failed.class, claim.await(LONG)).failure();
  }

  /**
   * As on some network file systems; the owner is another process, for a lock of this is refused.
   */
  @Test
  void whereDescriptionsCannotBeLockedTheFileBesideIsWaitedFor() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    VolumeSpec spec = VolumeSpec.existing(path, DiskKind.CHANNEL);
    VolumeOpener opener =
        new VolumeOpener(
            spec,
            (fd, shared, wait) -> {
              asked.incrementAndGet();
              return -Errno.ENOLCK;
            });
    Path beside = VolumeOpener.sidecar(path);
    Process owner = FileLocker.start(beside);
    try (VolumeClaim claim = done(VolumeClaim.of(path, opener))) {
      assertFalse(done(claim.await(A_WHILE)));
      assertEquals(2, asked.get());
      assertEquals(owner.pid(), VolumeOwner.find(path).getFirst().pid());
      owner.destroyForcibly().waitFor();
      assertTrue(done(claim.await(LONG)));
      try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
        org.junit.jupiter.api.Assertions.assertThrows(
            java.nio.channels.OverlappingFileLockException.class, channel::tryLock);
      }
    } finally {
      owner.destroyForcibly().waitFor();
    }
  }

  /** A process that locks a file, says so, and keeps it until it is killed. */
  static final class FileLocker {
    private FileLocker() {}

    static Process start(Path file) throws IOException {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  FileLocker.class.getName(),
                  file.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertEquals("locked", process.inputReader().readLine());
      return process;
    }

    public static void main(String[] arguments) throws IOException {
      try (FileChannel channel =
              FileChannel.open(
                  Path.of(arguments[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        System.out.println(lock.isValid() ? "locked" : "not locked");
        System.out.flush();
        System.in.read();
      }
    }
  }

  @Test
  void theOwnerIsWhoeverHasItToWrite() {
    assertEquals(java.util.List.of(), VolumeOwner.find(path));
    OpenVolume reader = open(true);
    assertEquals(java.util.List.of(), VolumeOwner.find(path));
    reader.close();
    OpenVolume owner = open(false);
    assertEquals(java.util.List.of(ProcessHandle.current()), VolumeOwner.find(path));
    owner.close();
  }
}
