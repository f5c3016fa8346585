package dev.upcall.feed.replay;

import dev.upcall.FileManager;
import dev.upcall.FileOperation;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.LeaseOwner;
import dev.upcall.feed.replay.StoreInputs.Call;
import dev.upcall.feed.replay.StoreInputs.Event;
import dev.upcall.feed.replay.StoreInputs.Single;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.Input;
import dev.upcall.journal.trace.TraceRecord;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks a file manager again what a recording says was asked of one. Dispatcher's thread. */
final class Caller {
  private static final LeaseOwner OWNER = new LeaseOwner("replay", 0);

  private final FileManager files;
  private final FlightRecorder recorder;
  private final List<String> recorded;
  private final InventedNames names = new InventedNames();
  private final Map<Long, Long> ids = new HashMap<>();
  private final Map<Long, Deque<OpenPut>> askedPuts = new HashMap<>();
  private final Map<Long, OpenPut> puts = new HashMap<>();
  private final Map<Long, Deque<OpenContent>> askedContents = new HashMap<>();
  private final Map<Long, OpenContent> contents = new HashMap<>();
  private int calls;

  /**
   * A caller that has not asked anything.
   *
   * @param recorded the names that the recording mentions
   */
  Caller(FileManager files, List<String> recorded) {
    this.files = files;
    this.recorder = files.dispatcher().recorder();
    this.recorded = recorded;
  }

  /** The id that a request of the recording has here, by its id there. */
  Map<Long, Long> ids() {
    return ids;
  }

  /** How many calls were made. */
  int calls() {
    return calls;
  }

  /** Does once more what came in, in an upcall of its own. */
  void perform(Event event) {
    long request = event.request();
    if (request == FlightRecorder.NOBODY || FlightRecord.isBackground(request)) {
      return;
    }
    recorder.serve(ids.computeIfAbsent(request, this::begin));
    switch (event) {
      case Call call -> {
        calls++;
        call(call);
      }
      case Single single -> single(single);
      case StoreInputs.DiskDone _ -> throw new IllegalArgumentException("the disk's");
    }
  }

  /** One that calls are parts of; a call that is none draws its own id. */
  private long begin(long request) {
    int replay = recorder.name("replay");
    return FlightRecord.isWhole(request) ? recorder.begin(replay, replay) : FlightRecorder.NOBODY;
  }

  /** The request that is current now is that one. */
  private void drawn(long request) {
    if (!FlightRecord.isWhole(request)) {
      ids.put(request, recorder.current());
    }
  }

  private void single(Single one) {
    TraceRecord input = one.input();
    switch (one.what()) {
      case PUT -> puts.put(input.number(), first(askedPuts, one));
      case ABANDON -> put(input.number()).ask((handle, free) -> handle.abandon());
      case OPENED -> contents.put(input.number(), first(askedContents, one));
      case READ -> content(input.number()).read(input.extra(), (int) input.more());
      case TRY_READ -> content(input.number()).tryRead(input.extra(), (int) input.more());
      case CLOSED -> content(input.number()).close();
      case STORE, NAME, CHANGE, ASKED -> {
        // Parts of calls, and the begin.
      }
    }
  }

  /** What was asked for first of what has not been given. */
  private static <T> T first(Map<Long, Deque<T>> asked, Single one) {
    return begun(asked.getOrDefault(one.request(), new ArrayDeque<>()).poll());
  }

  private OpenPut put(long number) {
    return begun(puts.get(number));
  }

  private OpenContent content(long number) {
    return begun(contents.get(number));
  }

  private static <T> T begun(@Nullable T one) {
    if (one == null) {
      throw new UncheckedIOException(
          new Refused("a file is used that was opened before inputs were recorded"));
    }
    return one;
  }

  private void call(Call call) {
    FileOperation operation = FileOperation.valueOf(call.verb());
    switch (operation) {
      case PUT_APPEND, PUT_COMMIT -> ofPut(call, operation);
      default -> {
        call(call, operation);
        drawn(call.request());
      }
    }
  }

  private void call(Call call, FileOperation operation) {
    TraceRecord input = call.asked();
    switch (operation) {
      case STAT -> files.stat(path(call), links(input), ignore());
      case READ_LINK -> files.readLink(path(call), ignore());
      case LIST -> list(call);
      case PROPERTY -> files.property(names.name(call.parts().getFirst()), ignore());
      case OPEN_READ -> open(call);
      case FLUSH -> files.flush(ignore());
      case PUT_BEGIN -> {
        OpenPut put = new OpenPut();
        askedPuts.computeIfAbsent(call.request(), _ -> new ArrayDeque<>()).add(put);
        if (changes(call).getFirst() instanceof FileRequest.Put begin) {
          files.put(begin.path(), begin.options(), put::begun);
        }
      }
      case BATCH -> files.batch(changes(call), durability(input), ignore());
      default -> changes(call).forEach(change -> files.change(change, ignore()));
    }
  }

  /** For the request that is current now, when the put can be asked. */
  private void ofPut(Call call, FileOperation operation) {
    TraceRecord input = call.asked();
    long here = recorder.current();
    put(input.number())
        .ask(
            (handle, free) -> {
              recorder.serve(here);
              if (operation == FileOperation.PUT_APPEND) {
                byte[] bytes =
                    ReplayedRequest.madeUp(input.extra(), (input.more() & Input.ZEROS) != 0);
                handle.append(ByteBuffer.wrap(bytes), _ -> free.run());
              } else {
                handle.commit(durability(input), _ -> free.run());
              }
              drawn(call.request());
            });
  }

  private static <T> CompletionPort<T> ignore() {
    return _ -> {};
  }

  private void open(Call call) {
    OpenContent content = new OpenContent();
    askedContents.computeIfAbsent(call.request(), _ -> new ArrayDeque<>()).add(content);
    Completion<OpenFile> atOnce = files.tryOpenRead(path(call), OWNER);
    if (atOnce == null) {
      files.openRead(path(call), OWNER, content::opened);
    } else {
      content.opened(atOnce);
    }
  }

  private StorePath path(Call call) {
    List<String> path = new ArrayList<>();
    for (TraceRecord part : call.parts()) {
      if (is(part, Input.NAME) && part.to() == 0) {
        path.add(names.name(part));
      }
    }
    return InventedNames.path(call.asked().extra(), path);
  }

  private boolean is(TraceRecord part, Input what) {
    return TraceRecord.text(recorded, part.name()).equals(what.name());
  }

  private void list(Call call) {
    String beyond = "";
    for (TraceRecord part : call.parts()) {
      beyond = is(part, Input.NAME) && part.to() == 1 ? names.name(part) : beyond;
    }
    TraceRecord input = call.asked();
    int limit = (int) input.number();
    if (input.from() == 0) {
      files.list(path(call), beyond, limit, ignore());
    } else {
      Listing.Direction direction =
          Listing.Direction.valueOf(TraceRecord.text(recorded, input.from()));
      files.names(
          path(call),
          new Listing.Range(Optional.of(beyond).filter(name -> !name.isEmpty()), direction, limit),
          ignore());
    }
  }

  private List<FileRequest> changes(Call call) {
    List<FileRequest> changes = new ArrayList<>();
    List<String> named = new ArrayList<>();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (TraceRecord part : call.parts()) {
      if (is(part, Input.NAME)) {
        named.add(names.name(part));
      } else if (is(part, Input.CHANGE)) {
        ByteBuffer words =
            ByteBuffer.allocate(Input.CHANGE_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(part.number())
                .putLong(part.extra())
                .putLong(part.more());
        bytes.write(words.array(), 0, part.from());
        if (part.to() == 0) {
          changes.add(new ReplayedRequest(bytes.toByteArray(), named).request());
          named.clear();
          bytes.reset();
        }
      }
    }
    return changes;
  }

  private static LinkPolicy links(TraceRecord part) {
    return (part.more() & Input.NO_FOLLOW) == 0 ? LinkPolicy.FOLLOW : LinkPolicy.NO_FOLLOW;
  }

  private Durability durability(TraceRecord part) {
    return Durability.valueOf(TraceRecord.text(recorded, part.from()));
  }
}
