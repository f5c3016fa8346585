package dev.upcall.journal.producer;

import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.EntryKind;
import dev.upcall.journal.entry.Origin;
import dev.upcall.journal.entry.SubmissionCodec;
import dev.upcall.journal.queue.ChronicleEntries;
import dev.upcall.journal.queue.ChronicleJvm;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.QueueDirectory;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.journal.queue.QueueException.Reason;
import dev.upcall.request.codec.Submission;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * Asks a store for things through a queue, whether or not the store is there. What {@link #submit}
 * has returned for survives the end of this process, and a loss of power once {@link #sync} has
 * returned. The store does the requests of a producer in their order, each once.
 *
 * <p>A producer has a name, under which one process at a time has it open; its id and its numbers
 * go on where the last one ended. What became of its requests, also of those of earlier openings,
 * {@link #replies} tells. Any thread; calls wait for each other, for files, and for other
 * producers, the last a bounded time. Those that wait for {@link #sync} hold up no others.
 */
public final class Producer implements AutoCloseable {
  /**
   * How far apart the parts of a content may come. The store gives a request up when it has waited
   * twice as long for the next part.
   */
  public static final Duration MAX_PAUSE = Duration.ofSeconds(30);

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  private final QueueDirectory directory;
  private final ProducerFile file;
  private final EntryQueue queue;
  private final LongSupplier nanos;
  private final long incarnation;

  private Producer(
      QueueDirectory directory, ProducerFile file, EntryQueue queue, LongSupplier nanos) {
    this.directory = directory;
    this.file = file;
    this.queue = queue;
    this.nanos = nanos;
    this.incarnation = UUID.randomUUID().getMostSignificantBits();
  }

  /**
   * Opens a producer, and makes it, and the queue, where there is none.
   *
   * @param folder the queue's
   * @param name of letters, digits, dots, dashes and underscores
   * @param maxBytes the bound of the queue's files, beyond which requests are refused
   * @throws IllegalStateException as {@link ChronicleJvm#prepare}
   */
  public static Producer open(Path folder, String name, long maxBytes) throws IOException {
    return open(folder, name, maxBytes, System::nanoTime);
  }

  /** The same by another clock. */
  static Producer open(Path folder, String name, long maxBytes, LongSupplier nanos)
      throws IOException {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("\"" + name + "\" is no name for a producer");
    }
    ChronicleJvm.prepare();
    QueueDirectory directory = QueueDirectory.openOrCreate(folder, UUID::randomUUID);
    ProducerFile file = ProducerFile.open(directory.producers(), name, UUID::randomUUID);
    try {
      directory.nameProducer(file.id(), name);
      EntryQueue queue =
          ChronicleEntries.open(directory.requests(), maxBytes, System::currentTimeMillis);
      return new Producer(directory, file, queue, nanos);
    } catch (IOException | RuntimeException failed) {
      file.close();
      throw failed;
    }
  }

  /**
   * Sees to it that nobody ever puts anything into a queue under an id again: when its producer is
   * opened next, it is another one, with numbers that go on.
   *
   * @param last asked while nobody can open it
   * @return whether nobody will; not while it is open, or when its name is not known
   */
  public static boolean retire(QueueDirectory directory, UUID id, Last last) throws IOException {
    String name = directory.producerNames().get(id);
    return name != null
        && ProducerFile.retire(directory.producers(), name, id, UUID::randomUUID, last);
  }

  /** Whether all is done that a producer has asked, so that it may go on as another one. */
  public interface Last {
    /** Looks. */
    boolean isDone() throws IOException;
  }

  /** Who it is for the store. */
  public UUID id() {
    return file.id();
  }

  /** Puts in a request that has all its contents. */
  public Receipt submit(Submission request) throws IOException {
    return submit(request, InputStream.nullInputStream());
  }

  /**
   * Puts in a request. When this fails in the middle of its content, what was put in is never done;
   * with the same number ({@link #submitAgain}) it may be tried again.
   *
   * @param content what follows the request, read as far as that says; {@link EOFException} when it
   *     ends before
   * @throws QueueException TOO_SLOW when it pauses for longer than {@link #MAX_PAUSE}: the store
   *     may have given the request up
   */
  public synchronized Receipt submit(Submission request, InputStream content) throws IOException {
    byte[] head = SubmissionCodec.encode(request);
    return put(file.take(), head, content, request.followingBytes());
  }

  /**
   * Puts in again what was put in before, under its number: after an answer that never came. It is
   * done if it was not done, unless a later request of this producer was.
   *
   * @param sequence as a receipt had it
   */
  public synchronized Receipt submitAgain(long sequence, Submission request, InputStream content)
      throws IOException {
    if (!file.mayHaveGiven(sequence)) {
      throw new IllegalArgumentException(sequence + " is no number of this producer yet");
    }
    return put(sequence, SubmissionCodec.encode(request), content, request.followingBytes());
  }

  /**
   * Makes durable all that was put in, by this producer and others: it survives a loss of power.
   * All threads and producers of this process that wait for it at a time share one.
   */
  public void sync() throws QueueException {
    queue.sync();
  }

  /**
   * What became of this producer's requests, from the oldest that is still known on; to be closed,
   * before the producer or after it.
   */
  public Replies replies() throws QueueException {
    return new Replies(
        directory.id(),
        file.id(),
        ChronicleEntries.open(directory.replies(), Long.MAX_VALUE, System::currentTimeMillis));
  }

  @Override
  public synchronized void close() throws IOException {
    queue.close();
    file.close();
  }

  private Receipt put(long sequence, byte[] head, InputStream content, long followingBytes)
      throws IOException {
    InputStream all = new SequenceInputStream(new ByteArrayInputStream(head), content);
    Origin origin =
        new Origin(directory.id(), directory.generation(), file.id(), incarnation, sequence);
    long left = head.length + followingBytes;
    int parts = Entry.partsOf(left);
    long index = EntryQueue.NONE;
    long lastNanos = nanos.getAsLong();
    for (int part = 0; part < parts; part++) {
      byte[] body = new byte[(int) Math.min(left, Entry.MAX_BODY_BYTES)];
      int read = all.readNBytes(body, 0, body.length);
      if (read < body.length) {
        throw new EOFException("the content ends %d bytes too early".formatted(left - read));
      }
      Entry entry =
          new Entry(origin, EntryKind.REQUEST, part, parts, body, System.currentTimeMillis());
      long nowNanos = nanos.getAsLong();
      if (part > 0) {
        checkPause(sequence, nowNanos - lastNanos);
      }
      index = queue.append(EntryCodec.encode(entry));
      if (part > 0) {
        // It may have been held up just here: then the store may have been tired of waiting first.
        checkPause(sequence, nanos.getAsLong() - lastNanos);
      }
      lastNanos = nowNanos;
      left -= body.length;
    }
    return new Receipt(sequence, index);
  }

  private static void checkPause(long sequence, long pauseNanos) throws QueueException {
    if (pauseNanos > MAX_PAUSE.toNanos()) {
      throw new QueueException(
          Reason.TOO_SLOW,
          "the content of request %d paused for %d s, %d s are waited for: put it in again"
              .formatted(
                  sequence, TimeUnit.NANOSECONDS.toSeconds(pauseNanos), MAX_PAUSE.toSeconds()),
          null);
    }
  }
}
