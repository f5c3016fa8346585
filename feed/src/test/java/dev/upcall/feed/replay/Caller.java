package dev.upcall.feed.replay;

import dev.upcall.Existence;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileManager;
import dev.upcall.FileOperation;
import dev.upcall.FileRequest;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.MetadataChange;
import dev.upcall.OpenFile;
import dev.upcall.PutOptions;
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
import dev.upcall.store.Durability;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks a file manager again what a recording says was asked of one. Dispatcher's thread. */
final class Caller {
  private static final LeaseOwner OWNER = new LeaseOwner("replay", 0);

  private static final byte MADE_UP = 1;

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
  private int notAll;

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

  /** How many had something that a recording has no room for. */
  int notAll() {
    return notAll;
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
        notAll += call.parts().stream().anyMatch(this::isNotAll) ? 1 : 0;
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

  private boolean isNotAll(TraceRecord part) {
    return !InventedNames.isName(part, recorded)
        && !isRange(part)
        && (part.more() & Input.NOT_ALL) != 0;
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
      case STORE, NAME, RANGE, CHANGE, ASKED -> {
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
      case PROPERTY -> files.property(names.name(call.parts().subList(0, 1)), ignore());
      case OPEN_READ -> open(call);
      case FLUSH -> files.flush(ignore());
      case PUT_BEGIN -> {
        OpenPut put = new OpenPut();
        askedPuts.computeIfAbsent(call.request(), _ -> new ArrayDeque<>()).add(put);
        files.put(path(call), options(input), put::begun);
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
                byte[] bytes = bytes(input, input.extra());
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
    return names.path(call.parts().subList(0, call.parts().size() - 1), 0);
  }

  private void list(Call call) {
    List<TraceRecord> named = call.parts().subList(0, call.parts().size() - 1);
    boolean isFromTheBegin = named.isEmpty() || named.getLast().to() == 0;
    String beyond = isFromTheBegin ? "" : names.name(List.of(named.getLast()));
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
    List<TraceRecord> named = new ArrayList<>();
    for (TraceRecord part : call.parts().subList(0, call.parts().size() - 1)) {
      if (InventedNames.isName(part, recorded) || isRange(part)) {
        named.add(part);
      } else {
        changes.add(change(part, named));
        named = new ArrayList<>();
      }
    }
    return changes;
  }

  private boolean isRange(TraceRecord part) {
    return TraceRecord.text(recorded, part.name()).equals(Input.RANGE.name());
  }

  /** With the range that stands behind the names. */
  private FileRequest splice(TraceRecord part, List<TraceRecord> named, FileCondition condition) {
    TraceRecord range = named.getLast();
    return new FileRequest.Splice(
        names.path(named.subList(0, named.size() - 1), 0),
        range.number(),
        range.extra(),
        bytes(part, part.number()),
        condition);
  }

  /** With the ranges of source and target behind the names. */
  private FileRequest copyRange(
      TraceRecord part, List<TraceRecord> named, FileCondition condition) {
    int behind = named.size() - 2;
    List<TraceRecord> paths = named.subList(0, behind);
    TraceRecord from = named.get(behind);
    return new FileRequest.CopyRange(
        new FileRequest.Range(names.path(paths, 0), from.number(), from.extra()),
        names.path(paths, 1),
        named.getLast().number(),
        (part.more() & Input.OVER) != 0
            ? FileRequest.Placing.OVERWRITE
            : FileRequest.Placing.INSERT,
        condition);
  }

  private FileRequest change(TraceRecord part, List<TraceRecord> named) {
    FileCondition condition = FileCondition.of(existence(part));
    String kind = TraceRecord.text(recorded, part.from());
    return switch (kind) {
      case "Put" ->
          new FileRequest.Put(
              names.path(named, 0),
              new FileContent.Bytes(bytes(part, part.number())),
              options(part));
      case "CreateDirectory" ->
          new FileRequest.CreateDirectory(names.path(named, 0), parents(part), MetadataChange.NONE);
      case "SymbolicLink" ->
          new FileRequest.SymbolicLink(
              names.path(named, 0), "x".repeat((int) part.number()), MetadataChange.NONE);
      case "Delete" -> new FileRequest.Delete(names.path(named, 0), condition);
      case "DeleteTree" -> new FileRequest.DeleteTree(names.path(named, 0), condition);
      case "Rename" ->
          new FileRequest.Rename(names.path(named, 0), names.path(named, 1), condition);
      case "Clone" -> new FileRequest.Clone(names.path(named, 0), names.path(named, 1), condition);
      case "Splice" -> splice(part, named, condition);
      case "CopyRange" -> copyRange(part, named, condition);
      case "SetMetadata" ->
          new FileRequest.SetMetadata(
              names.path(named, 0), links(part), MetadataChange.NONE, condition);
      case "SetProperty" ->
          new FileRequest.SetProperty(names.name(named), bytes(part, part.number()));
      case "RemoveProperty" -> new FileRequest.RemoveProperty(names.name(named));
      default -> throw new IllegalArgumentException("an unknown change: " + kind);
    };
  }

  private PutOptions options(TraceRecord part) {
    return new PutOptions(
        FileCondition.of(existence(part)), parents(part), links(part), MetadataChange.NONE);
  }

  private static FileRequest.Parents parents(TraceRecord part) {
    boolean made = (part.more() & Input.PARENTS) != 0;
    return made ? FileRequest.Parents.MAKE : FileRequest.Parents.MUST_EXIST;
  }

  private static LinkPolicy links(TraceRecord part) {
    return (part.more() & Input.NO_FOLLOW) == 0 ? LinkPolicy.FOLLOW : LinkPolicy.NO_FOLLOW;
  }

  private Existence existence(TraceRecord part) {
    return Existence.valueOf(TraceRecord.text(recorded, part.to()));
  }

  private Durability durability(TraceRecord part) {
    return Durability.valueOf(TraceRecord.text(recorded, part.from()));
  }

  /** Without a zero, or of nothing else: what is all zeros becomes holes. */
  private static byte[] bytes(TraceRecord part, long length) {
    byte[] bytes = new byte[Math.toIntExact(length)];
    if ((part.more() & Input.ZEROS) == 0) {
      Arrays.fill(bytes, MADE_UP);
    }
    return bytes;
  }
}
