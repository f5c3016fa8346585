package dev.upcall.io.volume;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.DiskKind;
import dev.upcall.fsm.TransitionCoverage;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.Errno;
import dev.upcall.io.IoClass;
import dev.upcall.io.LibC;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VolumesTest {
  private static final TransitionCoverage COVERAGE = new TransitionCoverage();

  private RealMachine machine;
  private Path path;

  @BeforeEach
  void start() {
    machine = new RealMachine(NettyReactor.create());
    path = machine.path("volume");
  }

  @AfterEach
  void end() {
    COVERAGE.add(machine.dispatcher().recorder());
    machine.close();
  }

  @AfterAll
  static void everyTransitionWasTaken() {
    COVERAGE.assertAllTaken(DiskLife.TRANSITIONS);
  }

  private Failure refused(VolumeSpec spec) {
    Completion<Disk> completion = machine.open(spec, ResultFilter.NONE);
    return assertInstanceOf(Completion.Failed.class, completion).failure();
  }

  private Disk opened(VolumeSpec spec) {
    return machine.open(spec, ResultFilter.NONE) instanceof Completion.Done<Disk> done
        ? done.value()
        : org.junit.jupiter.api.Assertions.fail("did not open");
  }

  private void close(Disk disk) {
    assertEquals(Completion.done(), machine.<Unit>await(disk::close));
  }

  @ParameterizedTest
  @EnumSource(
      value = DiskKind.class,
      names = {"AUTO", "CHANNEL"})
  void oneOwnerAtATime(DiskKind kind) {
    Disk disk = opened(VolumeSpec.create(path, kind, 64));
    Failure failure = refused(VolumeSpec.existing(path, DiskKind.AUTO));
    assertInstanceOf(Failure.Conflict.class, failure);
    assertEquals(
        "volume " + path + " is in use by another store in this process; nothing was changed",
        failure.message());
    assertInstanceOf(Failure.Conflict.class, refused(VolumeSpec.existing(path, DiskKind.CHANNEL)));
    close(disk);
    Disk again = opened(VolumeSpec.existing(path, kind));
    assertEquals(64, again.sizeBlocks());
    close(again);
    assertEquals(Completion.done(), machine.<Unit>await(again::close), "closed twice");
  }

  @ParameterizedTest
  @EnumSource(
      value = DiskKind.class,
      names = {"AUTO", "CHANNEL"})
  void readersAreBesideEachOtherAndNeverBesideAWriter(DiskKind kind) throws IOException {
    close(opened(VolumeSpec.create(path, kind, 64)));
    byte[] before = Files.readAllBytes(path);
    FileTime changed = Files.getLastModifiedTime(path);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("r--r--r--"));
    Disk one = opened(VolumeSpec.existing(path, kind).withReadOnly(true));
    Disk two = opened(VolumeSpec.existing(path, kind).withReadOnly(true));
    assertEquals(List.of(), writable(path));
    assertInstanceOf(Failure.Conflict.class, refused(VolumeSpec.existing(path, kind)));
    for (Disk disk : List.of(one, two)) {
      ByteBuffer into = Disk.newBuffer(Disk.BLOCK_BYTES);
      assertEquals(
          Completion.done(),
          machine.<Unit>await(
              port ->
                  disk.submit(
                      new DiskRequest.Read(3, List.of(into), IoClass.FOREGROUND_READ, port))));
      assertInstanceOf(
          Failure.Device.class,
          assertInstanceOf(
                  Completion.Failed.class,
                  machine.<Unit>await(
                      port ->
                          disk.submit(
                              new DiskRequest.DurableWrite(3, List.of(into), IoClass.LOG, port))))
              .failure());
      close(disk);
    }
    assertArrayEquals(before, Files.readAllBytes(path));
    assertEquals(changed, Files.getLastModifiedTime(path));
    Disk writer = opened(VolumeSpec.existing(path, kind));
    assertEquals(4, writable(path).size() + (writer instanceof ChannelDisk ? 0 : 2));
    assertInstanceOf(
        Failure.Conflict.class, refused(VolumeSpec.existing(path, kind).withReadOnly(true)));
    close(writer);
  }

  /** The descriptors of this process through which a file could be written. */
  private static List<Path> writable(Path file) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path fd : all) {
        if (Files.exists(fd) && Files.isSameFile(fd, file)) {
          Path info = Path.of("/proc/self/fdinfo").resolve(fd.getFileName());
          String flags = Files.readAllLines(info).get(1).replaceFirst("flags:\\s*", "");
          if (Integer.parseInt(flags, 8) % 4 != LibC.O_RDONLY) {
            found.add(fd);
          }
        }
      }
    }
    return found;
  }

  /**
   * As on some network file systems: then a file beside the volume is locked, where there is one.
   */
  @Test
  void readersWhereDescriptionsCannotBeLocked() throws IOException {
    close(opened(VolumeSpec.create(path, DiskKind.CHANNEL, 64)));
    VolumeSpec writing = VolumeSpec.existing(path, DiskKind.CHANNEL);
    VolumeSpec reading = writing.withReadOnly(true);
    OpenVolume unlocked = withoutLocks(reading);
    assertInstanceOf(OpenVolume.Lock.None.class, unlocked.lock());
    assertEquals(64, unlocked.sizeBlocks());
    unlocked.close();
    Path beside = path.resolveSibling("volume.lock");
    assertFalse(Files.exists(beside), "a reader has made something");
    OpenVolume writer = withoutLocks(writing);
    assertTrue(Files.exists(beside));
    assertInstanceOf(
        Failure.Conflict.class,
        assertInstanceOf(
                Completion.Failed.class, new VolumeOpener(reading, VolumesTest::noLocks).open())
            .failure());
    writer.close();
    OpenVolume reader = withoutLocks(reading);
    assertInstanceOf(OpenVolume.Lock.Sidecar.class, reader.lock());
    reader.close();
  }

  private static OpenVolume withoutLocks(VolumeSpec spec) {
    return new VolumeOpener(spec, VolumesTest::noLocks).open()
            instanceof Completion.Done<OpenVolume>(OpenVolume volume)
        ? volume
        : org.junit.jupiter.api.Assertions.fail("did not open");
  }

  private static int noLocks(int fd, boolean shared, boolean wait) {
    return -Errno.ENOLCK;
  }

  @Test
  void createsOnlyWhatIsNotThere() throws IOException {
    Files.writeString(path, "mine");
    assertInstanceOf(
        Failure.AlreadyExists.class, refused(VolumeSpec.create(path, DiskKind.AUTO, 64)));
    assertEquals("mine", Files.readString(path));
  }

  @Test
  void saysWhatIsWrong() throws IOException {
    assertInstanceOf(Failure.NotFound.class, refused(VolumeSpec.existing(path, DiskKind.AUTO)));
    assertInstanceOf(
        Failure.IsADirectory.class, refused(VolumeSpec.existing(path.getParent(), DiskKind.AUTO)));
    assertInstanceOf(
        Failure.Invalid.class, refused(VolumeSpec.existing(Path.of("/dev/null"), DiskKind.AUTO)));
    assertInstanceOf(
        Failure.NotFound.class,
        refused(VolumeSpec.create(path.resolveSibling("no").resolve("v"), DiskKind.AUTO, 4)));
    Files.write(path, new byte[4 * 4096 + 100]);
    Failure odd = refused(VolumeSpec.existing(path, DiskKind.AUTO));
    assertInstanceOf(Failure.Invalid.class, odd);
    assertTrue(odd.message().contains("16484"), odd.message());
    assertEquals(4 * 4096 + 100, Files.size(path));
  }

  @Test
  void tooLargeLeavesNothingBehind() {
    Failure failure = refused(VolumeSpec.create(path, DiskKind.AUTO, 1L << 45));
    assertInstanceOf(Failure.VolumeFull.class, failure);
    assertTrue(failure.message().startsWith("the file of volume "), failure.message());
    assertTrue(failure.message().contains(path.toString()), failure.message());
    assertFalse(failure.message().contains("cap of"), failure.message());
    assertFalse(Files.exists(path));
  }

  @Test
  void foreignFileKeepsItsBytes() throws IOException {
    byte[] foreign = new byte[64 * 4096];
    new SplittableRandom(3).nextBytes(foreign);
    Files.write(path, foreign);
    close(opened(VolumeSpec.existing(path, DiskKind.AUTO)));
    assertArrayEquals(foreign, Files.readAllBytes(path));
  }

  @Test
  void ringIsRefusedWhereThereIsNone() {
    RealMachine selector = new RealMachine(NettyReactor.create(NettyReactor.Transport.NIO));
    Completion<Disk> completion =
        selector.open(VolumeSpec.create(selector.path("v"), DiskKind.RING, 8), ResultFilter.NONE);
    assertInstanceOf(
        Failure.Device.class, assertInstanceOf(Completion.Failed.class, completion).failure());
    selector.with(VolumeSpec.create(selector.path("v"), DiskKind.AUTO, 8), ResultFilter.NONE);
    assertInstanceOf(ChannelDisk.class, selector.disk());
    selector.close();
  }

  @Test
  void theLockDiesWithTheProcess() throws Exception {
    close(opened(VolumeSpec.create(path, DiskKind.AUTO, 64)));
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                VolumeHolder.class.getName(),
                path.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertEquals("holding", holder.inputReader().readLine());
      Failure failure = refused(VolumeSpec.existing(path, DiskKind.AUTO));
      assertInstanceOf(Failure.Conflict.class, failure);
      String words = "is in use by process " + holder.pid() + " (java); nothing was changed";
      assertTrue(failure.message().endsWith(words), failure.message());
    } finally {
      holder.destroyForcibly().waitFor();
    }
    close(opened(VolumeSpec.existing(path, DiskKind.AUTO)));
  }
}
