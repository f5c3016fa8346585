package dev.upcall.journal.producer;

import dev.upcall.journal.queue.Folders;
import dev.upcall.journal.queue.ProcessLock;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.journal.queue.QueueException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Who a producer is and which numbers it may have used, locked while it is open. Two copies a block
 * apart are written in turn, so that one is whole whenever the power fails. Numbers are taken in
 * lots, before any of a lot is used: what a crash leaves unused of one is never used.
 *
 * <pre>
 *   0  mark "UpJP" (4)  version (2)  zeros (2)  id (16)  first number of this id (8)
 *  32  first number never taken (8)  CRC32C (4)
 * </pre>
 *
 * One thread at a time.
 */
final class ProducerFile implements AutoCloseable {
  private static final int MARK = 0x504a7055;
  private static final short VERSION = 2;
  private static final int BYTES = 44;
  private static final int CHECKSUM_AT = BYTES - Integer.BYTES;
  private static final int COPY_DISTANCE = 4096;
  private static final long LOT = 1 << 16;

  private final FileChannel channel;
  private final ProcessLock lock;
  private UUID id;
  private long first;
  private int nextCopy;
  private long next;
  private long taken;

  private ProducerFile(ProcessLock lock, UUID id) {
    this.channel = lock.channel();
    this.lock = lock;
    this.id = id;
  }

  /** Opens or makes it; {@link Reason#IN_USE} when somebody has it open. */
  static ProducerFile open(Path folder, String name, Supplier<UUID> ids) throws IOException {
    Folders.make(folder);
    ProcessLock lock = ProcessLock.take(folder, name, "the producer " + name);
    try {
      ProducerFile known = read(lock);
      if (known != null) {
        return known;
      }
      if (lock.channel().size() > COPY_DISTANCE) {
        throw new QueueException(Reason.FILES, folder.resolve(name) + " is damaged", null);
      }
      // New, or its making was cut off; then none of its numbers was ever given.
      ProducerFile made = new ProducerFile(lock, ids.get());
      made.write();
      made.write();
      Folders.force(folder);
      return made;
    } catch (IOException | RuntimeException failed) {
      lock.close();
      throw failed;
    }
  }

  /**
   * Sees to it that nobody ever uses an id again: its producer gets another one. Numbers go on, so
   * that none of the old id's is taken for one of the new.
   *
   * @param last asked while nobody can open it, if it still has that id: whether it may get another
   * @return whether nobody will; not while somebody has the producer open
   */
  static boolean retire(Path folder, String name, UUID id, Supplier<UUID> ids, Producer.Last last)
      throws IOException {
    try (ProcessLock lock = ProcessLock.take(folder, name, "the producer " + name)) {
      ProducerFile known = read(lock);
      if (known != null && known.id.equals(id)) {
        if (!last.isDone()) {
          return false;
        }
        known.id = ids.get();
        // Larger than in the other copy: whichever is whole then has the new id.
        known.first = known.next + 1;
        known.next = known.first;
        known.taken = known.first;
        known.write();
        known.write();
      }
      return known != null;
    } catch (QueueException inUse) {
      if (inUse.reason() == Reason.IN_USE) {
        return false;
      }
      throw inUse;
    }
  }

  /** Who it is, until it is away for too long. */
  UUID id() {
    return id;
  }

  /** A number that was never given before. */
  long take() throws IOException {
    if (next == taken) {
      taken += LOT;
      write();
    }
    return next++;
  }

  /** Whether a number may have been given, by this opening or an earlier one. */
  boolean mayHaveGiven(long number) {
    return number >= first && number < next;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }

  private static @Nullable ProducerFile read(ProcessLock lock) throws IOException {
    FileChannel channel = lock.channel();
    ByteBuffer first = copy(channel, 0);
    ByteBuffer second = copy(channel, 1);
    boolean isSecond = second != null && (first == null || next(second) > next(first));
    ByteBuffer newest = isSecond ? second : first;
    if (newest != null) {
      UUID id = new UUID(newest.getLong(8), newest.getLong(16));
      ProducerFile known = new ProducerFile(lock, id);
      known.first = newest.getLong(24);
      // The copy that is not whole may have been the newer one, by a lot that is then left out.
      known.next = next(newest) + (first == null || second == null ? LOT : 0);
      known.taken = known.next;
      known.nextCopy = isSecond ? 0 : 1;
      return known;
    }
    return null;
  }

  private static long next(ByteBuffer copy) {
    return copy.getLong(32);
  }

  private static @Nullable ByteBuffer copy(FileChannel channel, int number) throws IOException {
    ByteBuffer found = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long at = (long) number * COPY_DISTANCE;
    while (found.hasRemaining()) {
      int read = channel.read(found, at + found.position());
      if (read < 0) {
        return null;
      }
    }
    boolean isWhole =
        found.getInt(0) == MARK
            && found.getShort(4) == VERSION
            && found.getInt(CHECKSUM_AT) == checksum(found.array());
    return isWhole ? found : null;
  }

  private void write() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(MARK).putShort(VERSION).putShort((short) 0);
    bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    bytes.putLong(first).putLong(taken).putInt(checksum(bytes.array())).flip();
    long at = (long) nextCopy * COPY_DISTANCE;
    while (bytes.hasRemaining()) {
      channel.write(bytes, at + bytes.position());
    }
    channel.force(true);
    nextCopy = 1 - nextCopy;
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, CHECKSUM_AT);
    return (int) crc.getValue();
  }
}
