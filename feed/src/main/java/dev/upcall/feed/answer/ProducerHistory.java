package dev.upcall.feed.answer;

import dev.upcall.FileVersion;
import dev.upcall.journal.entry.FailureCode;
import dev.upcall.journal.entry.Reply;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What came of the last requests of a producer: a property of the store.
 *
 * <pre>
 *   0  version, 3 (1)   1  index of the last entry (8)   9  time of the note, seconds (8)
 *  17  for each outcome, the newest first: how far its sequence lies before the one in front, its
 *      kind (0 done, 1 done and left a file, above 1 a failure's code and 1), then for a file how
 *      far its id and its version lie behind those of the file in front, for a failure its length
 *      and its text; or a zero and how many follow now that differ from the one in front as that
 *      one did from the one before
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

  /** So many outcomes are kept, and more while nobody has heard of them. */
  static final int MAX_OUTCOMES = 256;

  /** The largest property. */
  public static final int MAX_BYTES = 1024;

  /** What stands before the outcomes. */
  public static final int HEAD_BYTES = 1 + 2 * Long.BYTES;

  /** No property tells of more: a number that was damaged is no reason to fill the memory. */
  private static final int MOST = 1 << 16;

  private static final byte VERSION = 3;
  private static final int DONE = 0;
  private static final int LEFT_FILE = 1;

  /** Behind it the failure's own code, from 1 on. */
  private static final int FAILED = 1;

  private static final int BITS = 7;
  private static final int MORE = 1 << BITS;

  /**
   * A property.
   *
   * @param bytes of it
   * @param neededBytes of those outcomes that had to be in it, without what stands before
   */
  public record Encoded(byte[] bytes, int neededBytes) {}

  /** Copies the list. */
  public ProducerHistory {
    outcomes = List.copyOf(outcomes);
  }

  /** The newest request of which anything is known; less than any before the first. */
  public long lastSequence() {
    return outcomes.isEmpty() ? Long.MIN_VALUE : outcomes.getFirst().sequence();
  }

  /** What came of a request; none when it is not known, or not any more. */
  public Optional<Outcome> outcome(long sequence) {
    return outcomes.stream().filter(each -> each.sequence() == sequence).findFirst();
  }

  /**
   * With more outcomes; the oldest go.
   *
   * @param newer in the order of the requests
   * @param atLeast that many stay
   */
  public ProducerHistory with(List<Outcome> newer, int atLeast, long index, long seconds) {
    int older = Math.max(MAX_OUTCOMES, atLeast) - newer.size();
    List<Outcome> all = new ArrayList<>(newer.reversed());
    all.addAll(outcomes.subList(0, Math.clamp(older, 0, outcomes.size())));
    return new ProducerHistory(index, seconds, all);
  }

  /** Without the oldest that nobody has to keep. */
  public ProducerHistory trimmed() {
    return outcomes.size() <= MAX_OUTCOMES
        ? this
        : new ProducerHistory(lastIndex, notedSeconds, outcomes.subList(0, MAX_OUTCOMES));
  }

  /**
   * As many of the newest outcomes as fit a property.
   *
   * @param atLeast that many must be in it
   * @return null when they do not fit
   */
  public @Nullable Encoded encode(int atLeast) {
    int needed = Math.min(atLeast, outcomes.size());
    Writer to = new Writer(lastIndex, notedSeconds);
    int neededBytes = needed == 0 ? 0 : -1;
    int held = 0;
    boolean fits = true;
    while (fits && held < outcomes.size()) {
      int alike = to.alike(outcomes, held);
      fits = alike == 0 ? to.put(outcomes.get(held)) : to.repeat(alike);
      held += fits ? Math.max(1, alike) : 0;
      if (neededBytes < 0 && held >= needed) {
        neededBytes = to.size - HEAD_BYTES;
      }
    }
    return neededBytes < 0 ? null : new Encoded(to.bytes(), neededBytes);
  }

  /** From one outcome to the next. */
  private static final class Steps {
    private int kind = -1;
    private long sequence;
    private FileVersion file = Outcome.NOTHING;
    private long sequenceStep;
    private long idStep;
    private long versionStep;

    /** Whether it follows as the last one has. */
    boolean isNext(Outcome outcome) {
      return kind == kindOf(outcome)
          && sequence - outcome.sequence() == sequenceStep
          && (kind == DONE
              || (outcome.file().id() - file.id() == idStep
                  && outcome.file().version() - file.version() == versionStep));
    }

    void step(Outcome outcome) {
      kind = kindOf(outcome);
      sequenceStep = sequence - outcome.sequence();
      sequence = outcome.sequence();
      if (kind == LEFT_FILE) {
        idStep = outcome.file().id() - file.id();
        versionStep = outcome.file().version() - file.version();
        file = outcome.file();
      }
    }

    /** The one that follows as the last one has; null behind a failure, and behind nothing. */
    @Nullable Outcome next() {
      return switch (kind) {
        case DONE -> new Outcome(sequence - sequenceStep, Outcome.NOTHING, null);
        case LEFT_FILE ->
            new Outcome(
                sequence - sequenceStep,
                new FileVersion(file.id() + idStep, file.version() + versionStep),
                null);
        default -> null;
      };
    }

    /** Negative for a failure: none follows as another has. */
    private static int kindOf(Outcome outcome) {
      if (outcome.failure() != null) {
        return -1;
      }
      return leftFile(outcome) ? LEFT_FILE : DONE;
    }
  }

  /** A property that is being written. */
  private static final class Writer {
    private final Steps steps = new Steps();
    private final byte[] bytes = new byte[MAX_BYTES];
    private int size;

    Writer(long index, long seconds) {
      ByteBuffer.wrap(bytes)
          .order(ByteOrder.LITTLE_ENDIAN)
          .put(VERSION)
          .putLong(index)
          .putLong(seconds);
      size = HEAD_BYTES;
    }

    byte[] bytes() {
      return Arrays.copyOf(bytes, size);
    }

    /** How many from one on follow as the last one has. */
    int alike(List<Outcome> outcomes, int from) {
      int to = from;
      if (steps.kind >= 0) {
        while (to < outcomes.size() && steps.isNext(outcomes.get(to))) {
          steps.step(outcomes.get(to));
          to++;
        }
      }
      return to - from;
    }

    boolean repeat(int count) {
      int before = size;
      number(0);
      number(count);
      return isWithin(before);
    }

    boolean put(Outcome outcome) {
      int before = size;
      FileVersion front = steps.file;
      number(zigzag(steps.sequence - outcome.sequence()));
      steps.step(outcome);
      Reply.Failed failure = outcome.failure();
      if (failure != null) {
        byte[] text = failure.message().getBytes(StandardCharsets.UTF_8);
        number(FAILED + failure.code().code());
        number(text.length);
        for (byte each : text) {
          one(each);
        }
      } else if (leftFile(outcome)) {
        number(LEFT_FILE);
        number(zigzag(outcome.file().id() - front.id()));
        number(zigzag(outcome.file().version() - front.version()));
      } else {
        number(DONE);
      }
      return isWithin(before);
    }

    private boolean isWithin(int before) {
      boolean is = size <= MAX_BYTES;
      size = is ? size : before;
      return is;
    }

    private void number(long number) {
      long left = number;
      while ((left & ~(MORE - 1L)) != 0) {
        one((byte) ((left & (MORE - 1)) | MORE));
        left >>>= BITS;
      }
      one((byte) left);
    }

    /** What is beyond the end is only counted. */
    private void one(byte value) {
      if (size < MAX_BYTES) {
        bytes[size] = value;
      }
      size++;
    }
  }

  private static boolean leftFile(Outcome outcome) {
    return !outcome.file().equals(Outcome.NOTHING);
  }

  /** None for what {@link #encode} cannot have given. */
  public static Optional<ProducerHistory> decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try {
      if (from.get() != VERSION) {
        return Optional.empty();
      }
      long index = from.getLong();
      long seconds = from.getLong();
      List<Outcome> outcomes = new ArrayList<>();
      Steps steps = new Steps();
      while (from.hasRemaining()) {
        long back = unzigzag(get(from));
        boolean isWhole =
            back == 0 && !outcomes.isEmpty()
                ? repeat(get(from), steps, outcomes)
                : add(decode(from, steps.sequence - back, steps.file), steps, outcomes);
        if (!isWhole) {
          return Optional.empty();
        }
      }
      return Optional.of(new ProducerHistory(index, seconds, outcomes));
    } catch (BufferUnderflowException tooShort) {
      return Optional.empty();
    }
  }

  private static boolean add(@Nullable Outcome outcome, Steps steps, List<Outcome> to) {
    if (outcome == null || to.size() == MOST) {
      return false;
    }
    steps.step(outcome);
    to.add(outcome);
    return true;
  }

  private static boolean repeat(long count, Steps steps, List<Outcome> to) {
    boolean isWhole = count > 0;
    for (long i = 0; isWhole && i < count; i++) {
      isWhole = add(steps.next(), steps, to);
    }
    return isWhole;
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
    FailureCode code = FailureCode.of(kind - FAILED).orElse(null);
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
