package dev.upcall.fsm;

import dev.upcall.base.Clock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.Input;
import dev.upcall.fsm.record.NameNumbers;
import dev.upcall.fsm.record.RecordKind;
import dev.upcall.fsm.record.RecordNames;
import dev.upcall.fsm.record.RecordRing;
import dev.upcall.fsm.record.Stage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What happens on one dispatcher: counters per declared transition of its machines, and the last
 * records one by one in a ring of fixed size (requests, transitions, requests to the device, turns,
 * completions: {@link FlightRecord}), each with the id of the request that it served. Recording
 * allocates nothing and reads no clock: times are {@link Dispatcher#upcallNanos}.
 *
 * <p><b>Ids travel by themselves.</b> There is one current request ({@link #current}). Whoever
 * begins one draws an id ({@link #begin}); the dispatcher keeps it with each upcall and timer that
 * is asked for meanwhile and makes it current again when that runs, the disk with each request. So
 * no machine passes it on, and each record that a machine leaves has it.
 *
 * <p>Belongs to the dispatcher's owner, but for what says "any thread"; {@link Dispatcher#recorder}
 * gives it out. How to read it: {@code dev.upcall.fsm.record}.
 */
public final class FlightRecorder {
  /** The id of what serves no request. */
  public static final long NOBODY = 0;

  /**
   * Goes with the id of a request whose stages somebody wants, wherever that is kept for later. It
   * is never recorded: there a request has one id.
   */
  private static final long MEASURED = 1L << 61;

  /** Where the {@link Asker} stands, beside an id that is kept for later; not recorded either. */
  private static final int ASKER_SHIFT = 45;

  private static final long ASKERS = (long) Asker.MAX << ASKER_SHIFT;
  private static final long CARRIED = MEASURED | ASKERS;

  /** Ids begin again at 2 where the asker's place begins: after years. */
  private static final long DRAWN = (1L << ASKER_SHIFT) - 1;

  private static final int LINES = 1024;
  private static final String DONE = "Done";

  private final Map<Transitions<?>, MachineStats> statsByKind = new LinkedHashMap<>();
  private final Map<Integer, MachineStats> statsByName = new LinkedHashMap<>();
  private final Map<Class<?>, Integer> failures = new LinkedHashMap<>();
  private final Map<String, Integer> firstOfEnum = new LinkedHashMap<>();
  private final RecordNames names = new RecordNames();
  private final RecordRing ring;
  private final TurnMeter meter;
  private final Clock clock;
  private final int done;
  private @Nullable NameNumbers numbers;
  private long current = NOBODY;
  private long drawn;
  private long sessions;

  FlightRecorder(int kept, TurnMeter meter, Clock clock) {
    this.clock = clock;
    this.ring = new RecordRing(kept);
    this.meter = meter;
    this.done = names.indexOf(DONE);
    outcome(HeapBudget.failedFull());
  }

  // ---------------------------------------------------------------- reading

  /** The memory, from which any thread may copy, at any time, also after the dispatcher's end. */
  public RecordRing ring() {
    return ring;
  }

  /** The names that records mention, by their numbers. Any thread. */
  public List<String> names() {
    return names.list();
  }

  /** The last records as text, at most 1,024, oldest first. */
  public List<String> lastLines() {
    ring.publish();
    int count = Math.min(LINES, ring.kept());
    ByteBuffer copy = ByteBuffer.allocate(count * RecordRing.RECORD_BYTES);
    ring.copySince(Math.max(0, ring.written() - count), copy);
    List<String> lines = new ArrayList<>(count);
    for (int at = 0; at < copy.position(); at += RecordRing.RECORD_BYTES) {
      lines.add(line(FlightRecord.read(copy, at)));
    }
    return lines;
  }

  private String line(FlightRecord record) {
    String line = record.describe(names.list());
    MachineStats kind = statsByName.get(record.name());
    if (record.kind() != RecordKind.TRANSITION || kind == null) {
      return line;
    }
    return "%s (%s)".formatted(line, kind.eventsOf(record.from(), record.to()));
  }

  // ---------------------------------------------------------------- counters of machines

  /** The counters of one kind of machine; made when first asked for. */
  public MachineStats statsOf(Transitions<?> transitions) {
    MachineStats known = statsByKind.get(Objects.requireNonNull(transitions, "transitions"));
    if (known == null) {
      List<String> together = new ArrayList<>(List.of(transitions.machine()));
      transitions.states().forEach(state -> together.add(state.name()));
      int name = names.add(together);
      known = new MachineStats(transitions, name);
      statsByKind.put(transitions, known);
      statsByName.put(name, known);
    }
    return known;
  }

  /** The counters of all kinds seen, in the order of their first machine. */
  public List<MachineStats> stats() {
    return List.copyOf(statsByKind.values());
  }

  /** A copy of the counters of all kinds seen, for any thread. */
  public List<MachineCounts> counts() {
    List<MachineCounts> counts = new ArrayList<>(statsByKind.size());
    for (MachineStats stats : statsByKind.values()) {
      counts.add(stats.snapshot());
    }
    return counts;
  }

  // ---------------------------------------------------------------- the current request

  /** The id of the request that the present upcall serves, or {@link #NOBODY}. */
  public long current() {
    return current;
  }

  /** From here to the end of the upcall all is done for that request. */
  public void serve(long request) {
    current = request;
  }

  /**
   * A request begins and is the current one, also for what is asked on its behalf in its upcalls:
   * one of a session, a door or a queue.
   *
   * @param verb what is asked, a {@linkplain #name name}
   * @param origin where it came in, a name
   * @return its id
   */
  public long begin(int verb, int origin) {
    return begin(draw(), verb, origin);
  }

  /** The same of somebody who is told apart from others, see {@link Asker}. */
  public long begin(int verb, int origin, int asker) {
    return begin(draw() | (long) (asker & Asker.MAX) << ASKER_SHIFT, verb, origin);
  }

  /** The id of a request as records have it, kept from {@link #current}. */
  public static long id(long request) {
    return request & ~CARRIED;
  }

  /** Whose a request is, kept from {@link #current}: an {@link Asker}. */
  public static int asker(long request) {
    return (int) ((request & ASKERS) >>> ASKER_SHIFT);
  }

  /** A number for one more session of this dispatcher: an {@link Asker}. */
  public int newSession() {
    return Asker.ofSession(sessions++);
  }

  /**
   * A call of the API begins. It belongs to the request that has begun outside it, or to background
   * work, if there is one; else it is a request of its own.
   *
   * @return the id of the one or the other
   */
  public long call(int verb, int origin) {
    return begin(
        FlightRecord.isWhole(current) ? current : draw() | 1 | current & ASKERS, verb, origin);
  }

  /**
   * Work begins that nobody asked for, with an id of that sort, and is the current one. As a part
   * of such work it has that one's id; but who asks from now on is told by its own verb: the
   * checkpoint that a trim wants writes what a checkpoint writes.
   */
  public long background(String verb) {
    Objects.requireNonNull(verb, "verb");
    long asker = (long) Asker.ofBackground(verb) << ASKER_SHIFT;
    if (FlightRecord.isBackground(current)) {
      current = current & ~ASKERS | asker;
      return current;
    }
    return begin(FlightRecord.background(draw()) | asker, name(verb), 0);
  }

  /** As {@link #background} for what one upcall begins; then goes on for who is current now. */
  public void inBackground(String verb, Runnable upcall) {
    Objects.requireNonNull(upcall, "upcall");
    long before = current;
    background(verb);
    upcall.run();
    current = before;
  }

  /** The next even id. */
  private long draw() {
    drawn = Math.max(2, drawn + 2 & DRAWN);
    return drawn;
  }

  private long begin(long request, int verb, int origin) {
    current = request;
    record(RecordKind.REQUEST, verb, origin, 0, 0, 0, 0);
    return request;
  }

  /** Runs something for a request, and goes on for the one that is current now. */
  public void serving(long request, Runnable upcall) {
    Objects.requireNonNull(upcall, "upcall");
    long before = current;
    current = request;
    upcall.run();
    current = before;
  }

  /**
   * A port for a line of those who wait: whoever completes it, in whatever upcall, completes it for
   * the request that is current now.
   */
  public <T> CompletionPort<T> waiting(CompletionPort<T> port) {
    Objects.requireNonNull(port, "port");
    return current == NOBODY ? port : new WaitingPort<>(this, current, port);
  }

  /**
   * The current request, or call of the API, has ended.
   *
   * @param outcome a name, such as {@link #outcome} gives
   */
  public void end(int verb, int origin, int outcome) {
    record(RecordKind.COMPLETION, verb, origin, outcome, 0, 0, 0);
  }

  /** What a completion is called: that it is done, or the kind of its failure. */
  public int outcome(Completion<?> completion) {
    return switch (Objects.requireNonNull(completion, "completion")) {
      case Completion.Done<?> _ -> done;
      case Completion.Failed<?> failed -> outcome(failed.failure().getClass());
    };
  }

  /** Takes no memory but for the first of a kind: answers must go out though there is none. */
  private int outcome(Class<?> failure) {
    Integer known = failures.get(failure);
    if (known == null) {
      known = name(failure.getSimpleName());
      failures.put(failure, known);
    }
    return known;
  }

  /**
   * What is done for the current request serves another one too.
   *
   * @param why a name
   * @param other nothing is recorded if that is nobody, or the current one itself
   */
  public void join(int why, long other) {
    long id = id(other);
    if (id != NOBODY && id != id(current)) {
      record(RecordKind.JOIN, why, 0, 0, id, 0, 0);
    }
  }

  // ---------------------------------------------------------------- inputs

  /**
   * From now on what calls ask for is recorded too, so that they can be asked again; names as these
   * numbers; asked once more, those of the first time stay.
   *
   * @param memoryBytes of the store
   * @param scn its newest commit
   * @param capBytes what its volume may grow to
   */
  public void recordInputs(NameNumbers by, long memoryBytes, long scn, long capBytes) {
    Objects.requireNonNull(by, "by");
    numbers = numbers == null ? by : numbers;
    input(Input.STORE, Input.VERSION, 0, memoryBytes, scn, capBytes);
  }

  /** The numbers under which names are recorded; none where what calls ask for is not. */
  public Optional<NameNumbers> inputNames() {
    return Optional.ofNullable(numbers);
  }

  /** Writes what the current request's call asks for, if that is recorded. */
  public void input(Input what, int from, int to, long number, long extra, long more) {
    Objects.requireNonNull(what, "what");
    if (numbers != null) {
      int name = names(Input.class) + what.index();
      record(RecordKind.INPUT, name, from, to, number, extra, more);
    }
  }

  // ---------------------------------------------------------------- writing

  /** The number of a name, for records; whoever records often asks once. */
  public int name(String name) {
    return names.indexOf(name);
  }

  /** The number of the name of an enum's first constant; those of the others follow. */
  public int names(Class<? extends Enum<?>> type) {
    Objects.requireNonNull(type, "type");
    Integer known = firstOfEnum.get(type.getName());
    if (known == null) {
      known = names.add(Arrays.stream(type.getEnumConstants()).map(Enum::name).toList());
      firstOfEnum.put(type.getName(), known);
    }
    return known;
  }

  /** The name of a success. */
  public int done() {
    return done;
  }

  /** Writes a record of the present upcall and the current request; see {@link FlightRecord}. */
  public void record(
      RecordKind kind, int name, int from, int to, long number, long extra, long more) {
    long head = FlightRecord.head(kind, name, from, to);
    ring.write(meter.nowNanos(), id(current), head, number, extra, more);
  }

  // ---------------------------------------------------------------- stages

  /**
   * Somebody wants the stages of the current request: what is done for it from here on stamps them.
   *
   * @return its id in records
   */
  public long measure() {
    long request = id(current);
    current |= MEASURED;
    return request;
  }

  /** Whether somebody wants the stages of a request, kept from {@link #current}. */
  public static boolean isMeasured(long request) {
    return (request & MEASURED) != 0;
  }

  /** The current request has come to a point of its way; costs a comparison if nobody asks. */
  public void stamp(Stage stage) {
    if (isMeasured(current)) {
      stamp(current, stage, clock.monotonicNanos());
    }
  }

  /** The same of a request whose stages somebody wants, at a time that was read for it. */
  public void stamp(long request, Stage stage, long atNanos) {
    Objects.requireNonNull(stage, "stage");
    long head = FlightRecord.head(RecordKind.STAGE, stage.nameIndex(), 0, 0);
    ring.write(atNanos, id(request), head, 0, 0, 0);
    if (stage == Stage.POSTED) {
      // Who is told may look for the stages before this turn ends.
      ring.publish();
    }
  }

  void moved(MachineStats kind, long number, int from, int to) {
    int name = kind.name();
    record(RecordKind.TRANSITION, name, name + 1 + from, name + 1 + to, number, 0, 0);
  }

  /** A turn has ended that ran something, for nobody alone. */
  void turned(int ran, long tookNanos, int taken, int reaped, int queuedBefore, int queuedAfter) {
    current = NOBODY;
    long queued = (long) queuedBefore << 32 | queuedAfter;
    record(RecordKind.TURN, 0, taken, reaped, ran, tookNanos, queued);
  }

  /** Shows other threads what the turn has written. */
  public void publish() {
    ring.publish();
  }
}
