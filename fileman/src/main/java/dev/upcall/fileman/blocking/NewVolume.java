package dev.upcall.fileman.blocking;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.base.HostWords;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fileman.keys.KeyReader;
import dev.upcall.io.Disk;
import dev.upcall.io.seal.Seal;
import dev.upcall.io.volume.HelperThread;
import dev.upcall.io.volume.VolumeSpec;
import dev.upcall.io.volume.Volumes;
import dev.upcall.txn.engine.Stores;
import dev.upcall.txn.volume.VolumeLayout;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes a volume under a name of its own and gives it the wanted name when it is whole, so that
 * whoever is killed in between leaves no half volume under that name.
 */
final class NewVolume {
  private static final long MIN_LOG_BYTES = 1L << 20;
  private static final long MAX_LOG_BYTES =
      (long) VolumeLayout.MAX_NEW_LOG_BLOCKS * Disk.BLOCK_BYTES;
  private static final long INITIAL_DATA_BYTES = 8L << 20;
  private static final int CAP_HEADROOM = 16;
  private static final int FRONT_BYTES = 1 << 20;
  private static final int TYPE_MASK = 0170000;
  private static final int TYPE_BLOCK_DEVICE = 0060000;

  private final StoreThread thread;
  private final UpcallConfig config;
  private final Path path;
  private final Path unfinished;
  private final KeyReader.@Nullable Made made;

  /** On the caller's thread, which waits for the key if there is to be one. */
  NewVolume(StoreThread thread, Path path, UpcallConfig config) {
    this.thread = thread;
    this.config = config;
    this.path = path;
    this.unfinished = path.resolveSibling(path.getFileName() + ".new");
    this.made = KeyReader.make(config.drive().key());
  }

  /**
   * Whether {@link Upcall#openOrCreate} makes a volume. It asks first: an opening that finds none
   * would cost each start of a new store the classes of all failures.
   */
  static boolean isToBeMade(Path volume, UpcallConfig config) {
    return !config.readOnly() && Files.notExists(volume);
  }

  /** Makes it. */
  void make() {
    if (isBlockDevice(path)) {
      makeOnDevice();
      return;
    }
    if (Files.exists(path)) {
      throw UpcallException.of(new Failure.AlreadyExists(path.toString()));
    }
    try {
      removeLeftover();
      format();
      Files.move(unfinished, path);
      thread.<Unit>await(
          port ->
              HelperThread.run(
                  thread.dispatcher(), "making volume " + path, this::nameIsDurable, port));
    } catch (FileAlreadyExistsException overtaken) {
      throw UpcallException.of(new Failure.AlreadyExists(path.toString()));
    } catch (IOException refused) {
      throw UpcallException.of(new Failure.Device("making volume " + path, HostWords.of(refused)));
    }
  }

  /**
   * A device has its name already, so it is formatted where it is; who is killed in between leaves
   * what is no volume yet. It must be blank where all that uses a device says so: file systems,
   * partition tables, volume managers, and stores.
   */
  private void makeOnDevice() {
    Disk disk = open(VolumeSpec.existing(path, config.drive().disk()));
    try {
      long deviceBytes = disk.sizeBlocks() * Disk.BLOCK_BYTES;
      checkBlank(deviceBytes);
      long capBytes = config.capBytes() == 0 ? deviceBytes : config.capBytes();
      if (capBytes < UpcallConfig.MIN_CAP_BYTES || capBytes > deviceBytes) {
        throw UpcallException.of(
            new Failure.Invalid(
                "%s has %d bytes, and a store there at least %d and at most all of them, not %d"
                    .formatted(path, deviceBytes, UpcallConfig.MIN_CAP_BYTES, capBytes)));
      }
      Stores.Format format =
          format(Incarnations.random(thread.dispatcher().clock()).nextLong(), capBytes);
      format(disk, format);
    } finally {
      thread.<Unit>await(disk::close);
    }
  }

  /** Behind the lock, so that nobody writes it meanwhile. */
  private void checkBlank(long deviceBytes) {
    try (RandomAccessFile device = new RandomAccessFile(path.toFile(), "r")) {
      byte[] front = new byte[(int) Math.min(FRONT_BYTES, deviceBytes)];
      device.readFully(front);
      if (!Arrays.equals(front, new byte[front.length])) {
        throw UpcallException.of(
            new Failure.Invalid(
                "the device %s holds something; to give that up, fill its first MiB with zeros (dd if=/dev/zero of=%s bs=1M count=1)"
                    .formatted(path, path)));
      }
    } catch (IOException refused) {
      throw UpcallException.of(new Failure.Device("reading " + path, HostWords.of(refused)));
    }
  }

  private static boolean isBlockDevice(Path path) {
    try {
      return ((Integer) Files.getAttribute(path, "unix:mode") & TYPE_MASK) == TYPE_BLOCK_DEVICE;
    } catch (IOException | UnsupportedOperationException none) {
      return false;
    }
  }

  /** On a helper's thread: an interrupt of the caller would close the channel. */
  private Completion<Unit> nameIsDurable() {
    try (FileChannel directory =
        FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
      directory.force(true);
      return Completion.done();
    } catch (IOException refused) {
      return Completion.failed(new Failure.Device("making volume " + path, HostWords.of(refused)));
    }
  }

  /** What a new volume with such a cap looks like. */
  static Stores.Format format(long volumeId, long capBytes) {
    long cap = capBytes / Disk.BLOCK_BYTES;
    long log = Math.clamp(capBytes / 16, MIN_LOG_BYTES, MAX_LOG_BYTES) / Disk.BLOCK_BYTES;
    long usual = UpcallConfig.DEFAULT_CAP_BYTES / Disk.BLOCK_BYTES;
    long most = Math.max(cap, Math.min(usual, cap * CAP_HEADROOM));
    VolumeLayout layout = new VolumeLayout((int) log, VolumeLayout.MAX_MAP_CHUNK_BLOCKS, most);
    long initial = layout.dataStart() + INITIAL_DATA_BYTES / Disk.BLOCK_BYTES;
    return new Stores.Format(volumeId, layout, Math.min(initial, cap), cap);
  }

  private void format() throws IOException {
    long capBytes = config.capBytes() == 0 ? UpcallConfig.DEFAULT_CAP_BYTES : config.capBytes();
    Stores.Format format =
        format(Incarnations.random(thread.dispatcher().clock()).nextLong(), capBytes);
    Disk disk =
        open(
            VolumeSpec.create(unfinished, config.drive().disk(), format.initialBlocks())
                .named(path));
    try {
      format(disk, format);
    } catch (UpcallException failed) {
      thread.<Unit>await(disk::close);
      Files.deleteIfExists(unfinished);
      throw failed;
    }
    thread.<Unit>await(disk::close);
  }

  private void format(Disk disk, Stores.Format plain) {
    KeyReader.Made sealed = made;
    if (sealed == null) {
      thread.<Unit>await(port -> Stores.format(thread.dispatcher(), disk, plain, port));
      return;
    }
    Seal seal = Seal.of(sealed.key(), plain.layout().superblock(2));
    Stores.Format format = plain.withKeySlots(sealed.slots());
    try {
      thread.<Unit>await(
          port ->
              Stores.format(
                  thread.dispatcher(), seal.over(disk, thread.dispatcher()), format, port));
    } finally {
      seal.close();
    }
  }

  /** Somebody was killed here before; if he lives he holds the lock, and this fails. */
  private void removeLeftover() throws IOException {
    if (Files.exists(unfinished)) {
      Disk disk = leftover();
      thread.<Unit>await(disk::close);
      Files.delete(unfinished);
    }
  }

  private Disk leftover() {
    try {
      return open(VolumeSpec.existing(unfinished, config.drive().disk()).named(path));
    } catch (UpcallException failed) {
      if (failed.failure() instanceof Failure.Conflict) {
        throw failed;
      }
      throw UpcallException.of(
          new Failure.Device(
              "making volume " + path,
              "%s, left of an earlier attempt, is in the way: %s"
                  .formatted(unfinished.getFileName(), failed.failure().message())));
    }
  }

  private Disk open(VolumeSpec spec) {
    return thread.await(port -> Volumes.open(spec, thread.dispatcher(), thread.reactor(), port));
  }
}
