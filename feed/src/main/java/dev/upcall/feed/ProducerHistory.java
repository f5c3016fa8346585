package dev.upcall.feed;

import dev.upcall.fileman.FileVersion;
import dev.upcall.journal.entry.FailureCode;
import dev.upcall.journal.entry.Reply;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of the last requests of a producer: a property of the store.
 *
 * <pre>
 *   0  version, 2 (1)   1  index of the last entry (8)   9  time of the note, seconds (8)
 *  17  for each outcome, the newest first: how far its sequence lies before the one in front, its
 *      kind (0 done, 1 done and left a file, above 1 a failure's code and 1), then for a file how far its id and its
 *      version lie behind those of the file in front, for a failure its length and its text
 * </pre>
 *
 * <p>Numbers without a size are of seven bits a byte, the lowest first; differences are zigzag, and
 * the first ones are those to zero. Fields with a size are little-endian.
 *
 * @param lastIndex where the last entry of the newest request is
 * @param notedSeconds when that was noted, seconds since 1970
 * @param outcomes the newest first
 */
public record ProducerHistory(long lastIndex, long notedSeconds, List<Outcome> outcomes) {
  /** Of a producer of which nothing is known. */
  public static final ProducerHistory NONE = new ProducerHistory(-1, 0, List.of());

  /** The most outcomes that are kept. */
  static final int MAX_OUTCOMES = 256;

  /** The largest property. */
  static final int MAX_BYTES = 1024;

  private static final byte VERSION = 2;
  private static final int DONE = 0;
  private static final int LEFT_FILE = 1;

  /** Behind it the failure's own code, from 1 on. */
  private static final int FAILED = 1;

  private static final int BITS = 7;
  private static final int MORE = 1 << BITS;

  /** Copies the list. */
  public ProducerHistory {
    outcomes = List.copyOf(outcomes);
  }

  /** The newest request of which anything is known; less than any before the first. */
  public long lastSequence() {
    return outcomes.isEmpty() ? Long.MIN_VALUE : outcomes.getFirst().sequence();
  }

  /** What came of a request; null when it is not known, or not any more. */
  public @Nullable Outcome outcome(long sequence) {
    return outcomes.stream().filter(each -> each.sequence() == sequence).findFirst().orElse(null);
  }

  /**
   * With more outcomes; the oldest go.
   *
   * @param newer in the order of the requests
   */
  ProducerHistory with(List<Outcome> newer, long index, long seconds) {
    List<Outcome> all = new ArrayList<>(newer.reversed());
    int older = Math.min(outcomes.size(), Math.max(0, MAX_OUTCOMES - all.size()));
    all.addAll(outcomes.subList(0, older));
    return new ProducerHistory(index, seconds, all);
  }

  /**
   * As many of the newest outcomes as fit a property.
   *
   * @param atLeast that many must be in it
   * @return null when they do not fit
   */
  byte @Nullable [] encode(int atLeast) {
    ByteArrayOutputStream all = new ByteArrayOutputStream(MAX_BYTES);
    byte[] head = new byte[1 + 2 * Long.BYTES];
    ByteBuffer fields = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    fields.put(VERSION).putLong(lastIndex).putLong(notedSeconds);
    all.writeBytes(head);
    long sequence = 0;
    FileVersion file = Outcome.NOTHING;
    int held = 0;
    for (Outcome outcome : outcomes) {
      byte[] one = encode(outcome, sequence, file);
      if (all.size() + one.length > MAX_BYTES) {
        break;
      }
      all.writeBytes(one);
      sequence = outcome.sequence();
      file = leftFile(outcome) ? outcome.file() : file;
      held++;
    }
    return held < Math.min(atLeast, outcomes.size()) ? null : all.toByteArray();
  }

  private static byte[] encode(Outcome outcome, long sequence, FileVersion file) {
    ByteArrayOutputStream one = new ByteArrayOutputStream();
    put(one, zigzag(sequence - outcome.sequence()));
    Reply.Failed failure = outcome.failure();
    if (failure != null) {
      byte[] text = failure.message().getBytes(StandardCharsets.UTF_8);
      put(one, FAILED + failure.code().code());
      put(one, text.length);
      one.writeBytes(text);
    } else if (leftFile(outcome)) {
      put(one, LEFT_FILE);
      put(one, zigzag(outcome.file().id() - file.id()));
      put(one, zigzag(outcome.file().version() - file.version()));
    } else {
      put(one, DONE);
    }
    return one.toByteArray();
  }

  private static boolean leftFile(Outcome outcome) {
    return !outcome.file().equals(Outcome.NOTHING);
  }

  /** Null for what {@link #encode} cannot have given. */
  public static @Nullable ProducerHistory decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try {
      if (from.get() != VERSION) {
        return null;
      }
      long index = from.getLong();
      long seconds = from.getLong();
      List<Outcome> outcomes = new ArrayList<>();
      long sequence = 0;
      FileVersion file = Outcome.NOTHING;
      while (from.hasRemaining()) {
        sequence -= unzigzag(get(from));
        Outcome outcome = decode(from, sequence, file);
        if (outcome == null) {
          return null;
        }
        file = leftFile(outcome) ? outcome.file() : file;
        outcomes.add(outcome);
      }
      return new ProducerHistory(index, seconds, outcomes);
    } catch (BufferUnderflowException tooShort) {
      return null;
    }
  }

  private static @Nullable Outcome decode(ByteBuffer from, long sequence, FileVersion file) {
    int kind = (int) get(from);
    return switch (kind) {
      case DONE -> new Outcome(sequence, Outcome.NOTHING, null);
      case LEFT_FILE -> {
        long id = file.id() + unzigzag(get(from));
        yield new Outcome(
            sequence, new FileVersion(id, file.version() + unzigzag(get(from))), null);
      }
      default -> failed(kind, from, sequence);
    };
  }

  private static @Nullable Outcome failed(int kind, ByteBuffer from, long sequence) {
    FailureCode code = FailureCode.of(kind - FAILED);
    if (code == null) {
      return null;
    }
    long length = get(from);
    if (length < 0 || length > from.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] text = new byte[(int) length];
    from.get(text);
    String message = new String(text, StandardCharsets.UTF_8);
    return new Outcome(sequence, Outcome.NOTHING, new Reply.Failed(code, message));
  }

  private static void put(ByteArrayOutputStream to, long number) {
    long left = number;
    while ((left & ~(MORE - 1L)) != 0) {
      to.write((int) (left & (MORE - 1)) | MORE);
      left >>>= BITS;
    }
    to.write((int) left);
  }

  private static long get(ByteBuffer from) {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += BITS) {
      byte next = from.get();
      number |= (next & (MORE - 1L)) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new BufferUnderflowException();
  }

  private static long zigzag(long number) {
    return (number << 1) ^ (number >> (Long.SIZE - 1));
  }

  private static long unzigzag(long number) {
    return (number >>> 1) ^ -(number & 1);
  }
}
