package dev.upcall.journal.queue;

import dev.upcall.journal.queue.QueueException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The directory of a queue: which queue it is, in a file of its own, beside the folder of its
 * entries. The id is for ever; the generation grows when a queue is found to have lost its end. Any
 * thread; whoever changes the generation sees to it that nobody else does.
 *
 * <pre>
 *  upcall-queue   mark "UpJQ" (4)  version (2)  zeros (2)  id (16)  generation (8)  CRC32C (4)
 *  requests/      the entries
 *  producers/     who puts them in, a file for each, locked while it is open
 *  names/         a file for each too, by its id, with its name
 *  replies/       what became of them
 *  dead-letters/  those that failed for good
 *  consumer       locked by who does them
 * </pre>
 */
public final class QueueDirectory {
  private static final String NAME = "upcall-queue";

  /** What a process that died in the middle leaves; taken for nothing. */
  private static final String UNFINISHED = NAME + ".new-";

  private static final int MARK = 0x514a7055;

  /** With the form of its requests: one of another version cannot be gone on with. */
  private static final short VERSION = 2;

  private static final int BYTES = 36;
  private static final int CHECKSUM_AT = BYTES - Integer.BYTES;

  private final Path folder;
  private final Identity identity;

  /** Which queue, and how often it has lost its end. */
  private record Identity(UUID id, long generation) {}

  private QueueDirectory(Path folder, Identity identity) {
    this.folder = folder;
    this.identity = identity;
  }

  /** A queue that is there. */
  public static QueueDirectory open(Path folder) throws QueueException {
    try {
      return new QueueDirectory(folder, read(folder));
    } catch (NoSuchFileException absent) {
      throw new QueueException(Reason.NO_QUEUE, folder + " is no queue", absent);
    } catch (IOException broken) {
      throw as(folder, broken);
    }
  }

  /**
   * A queue that is there, or a new one where nothing is, or an empty directory. Several may try at
   * once: one of them makes it.
   *
   * @param ids draws an id at random
   */
  public static QueueDirectory openOrCreate(Path folder, Supplier<UUID> ids) throws QueueException {
    try {
      if (!Files.exists(folder.resolve(NAME))) {
        Folders.make(folder);
        create(folder, new Identity(ids.get(), 0));
      }
    } catch (IOException broken) {
      throw as(folder, broken);
    }
    return open(folder);
  }

  /** Which queue it is. */
  public UUID id() {
    return identity.id();
  }

  /** As it was when this was opened. */
  public long generation() {
    return identity.generation();
  }

  /** Where its entries are. */
  public Path requests() {
    return folder.resolve("requests");
  }

  /** Where it says what became of them. */
  public Path replies() {
    return folder.resolve("replies");
  }

  /** Where those are that failed for good. */
  public Path deadLetters() {
    return folder.resolve("dead-letters");
  }

  /** Where its producers keep who they are. */
  public Path producers() {
    return folder.resolve("producers");
  }

  /** A producer of that id has that name, from now on for all to see. */
  public void nameProducer(UUID id, String name) throws IOException {
    Path file = names().resolve(id.toString());
    if (!Files.exists(file) || Files.size(file) == 0) {
      Folders.make(names());
      Files.writeString(
          file,
          name,
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE,
          StandardOpenOption.DSYNC);
      Folders.force(names());
    }
  }

  /** All producers that there ever were, by their ids. */
  public SortedMap<UUID, String> producerNames() throws QueueException {
    SortedMap<UUID, String> names = new TreeMap<>();
    if (!Files.exists(names())) {
      return names;
    }
    try (DirectoryStream<Path> found = Files.newDirectoryStream(names())) {
      for (Path file : found) {
        names.put(UUID.fromString(file.getFileName().toString()), Files.readString(file));
      }
    } catch (IOException | IllegalArgumentException | DirectoryIteratorException broken) {
      throw QueueException.files(names().toString(), broken);
    }
    return names;
  }

  /** Nobody asks for that producer's name any more. */
  public void forgetProducer(UUID id) throws IOException {
    Files.deleteIfExists(names().resolve(id.toString()));
  }

  private Path names() {
    return folder.resolve("names");
  }

  /** Becomes the only one who does its requests; IN_USE when somebody else is. */
  public ProcessLock lockConsumer() throws IOException {
    return ProcessLock.take(folder, "consumer", "who does the requests of " + folder);
  }

  /** The same queue in its next generation, durably. */
  public QueueDirectory nextGeneration() throws QueueException {
    Identity next = new Identity(identity.id(), identity.generation() + 1);
    try {
      Path unfinished = write(folder, next);
      Files.move(
          unfinished,
          folder.resolve(NAME),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
      Folders.force(folder);
    } catch (IOException broken) {
      throw as(folder, broken);
    }
    return new QueueDirectory(folder, next);
  }

  private static void create(Path folder, Identity identity) throws IOException {
    try (Stream<Path> found = Files.list(folder)) {
      boolean isEmpty =
          found.allMatch(file -> file.getFileName().toString().startsWith(UNFINISHED));
      if (!isEmpty && !Files.exists(folder.resolve(NAME))) {
        throw new QueueException(
            Reason.NO_QUEUE, folder + " is no queue, and not empty either", null);
      }
    }
    Path unfinished = write(folder, identity);
    try {
      // Unlike a rename, a link never replaces what somebody else was faster to make.
      Files.createLink(folder.resolve(NAME), unfinished);
      Folders.force(folder);
    } catch (FileAlreadyExistsException faster) {
      // Then that is the queue.
      return;
    } finally {
      Files.delete(unfinished);
    }
  }

  private static Path write(Path folder, Identity identity) throws IOException {
    Path unfinished = Files.createTempFile(folder, UNFINISHED, "");
    ByteBuffer bytes = ByteBuffer.wrap(encode(identity));
    try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    return unfinished;
  }

  private static byte[] encode(Identity identity) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(MARK).putShort(VERSION).putShort((short) 0);
    bytes.putLong(identity.id().getMostSignificantBits());
    bytes.putLong(identity.id().getLeastSignificantBits());
    bytes.putLong(identity.generation()).putInt(checksum(bytes.array()));
    return bytes.array();
  }

  private static Identity read(Path folder) throws IOException {
    byte[] bytes;
    try (FileChannel channel = FileChannel.open(folder.resolve(NAME), StandardOpenOption.READ)) {
      ByteBuffer found = ByteBuffer.allocate(BYTES + 1);
      int read;
      do {
        read = channel.read(found);
      } while (read >= 0 && found.hasRemaining());
      bytes = new byte[found.position()];
      found.get(0, bytes);
    }
    ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.length != BYTES
        || from.getInt(0) != MARK
        || from.getInt(CHECKSUM_AT) != checksum(bytes)) {
      throw new QueueException(
          Reason.NO_QUEUE, folder.resolve(NAME) + " is damaged, or of something else", null);
    }
    short version = from.getShort(Integer.BYTES);
    if (version != VERSION) {
      throw new QueueException(
          Reason.VERSION,
          version < VERSION
              ? "%s is a queue of an older version (%d, not %d). Drain it with the release that"
                      .formatted(folder, version, VERSION)
                  + " made it: 'upcall serve --queue' until 'upcall queue info --store' tells of no"
                  + " backlog, and 'upcall queue retry' or 'drop' for dead letters; then give"
                  + " another directory"
              : "%s is a queue of a newer version (%d, not %d)".formatted(folder, version, VERSION),
          null);
    }
    from.position(2 * Integer.BYTES);
    UUID id = new UUID(from.getLong(), from.getLong());
    return new Identity(id, from.getLong());
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, CHECKSUM_AT);
    return (int) crc.getValue();
  }

  private static QueueException as(Path folder, IOException broken) {
    return Files.exists(folder) && !Files.isDirectory(folder)
        ? new QueueException(Reason.NO_QUEUE, folder + " is no queue: not a directory", broken)
        : QueueException.files(folder.toString(), broken);
  }
}
