package dev.upcall.fileman.machine;

import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileManager;
import dev.upcall.FileRequest;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.MetadataChange;
import dev.upcall.OpenFile;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.record.Input;
import dev.upcall.fsm.record.NameNumbers;
import dev.upcall.segment.PinnedContent;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Writes into the flight recorder what calls ask for, so that a replay can ask it again, as {@link
 * Input} says; nothing unless that is recorded. Each is called behind the call's REQUEST.
 */
final class Inputs {
  private final FlightRecorder recorder;
  private long contents;

  Inputs(FlightRecorder recorder) {
    this.recorder = recorder;
  }

  /** A look at what a path leads to, or at its content. */
  void look(StorePath path, LinkPolicy links) {
    if (isOn()) {
      name(path, 0);
      asked(0, 0, (links == LinkPolicy.FOLLOW ? 0 : Input.NO_FOLLOW) | lacks(path));
    }
  }

  /** A look at a property. */
  void property(String name) {
    if (isOn()) {
      name(name, 0);
      asked(0, 0, 0);
    }
  }

  /** A listing of entries, from a directory's first on or from behind a name. */
  void list(StorePath directory, String afterName, int limit) {
    if (isOn()) {
      Optional<String> beyond = Optional.of(afterName).filter(name -> !name.isEmpty());
      list(directory, beyond, limit, 0);
    }
  }

  /** A listing of names. */
  void names(StorePath directory, Listing.Range range) {
    if (isOn()) {
      list(directory, range.beyond(), range.limit(), recorder.name(range.direction().name()));
    }
  }

  private void list(StorePath directory, Optional<String> beyond, int limit, int direction) {
    long number = name(directory, 0);
    beyond.ifPresent(name -> name(number, name.getBytes(StandardCharsets.UTF_8), 1));
    recorder.input(Input.ASKED, direction, 0, limit, 0, lacks(directory));
  }

  /** The begin of a put. */
  void put(StorePath path, PutOptions options) {
    if (isOn()) {
      name(path, 0);
      int existence = recorder.name(options.condition().existence().name());
      recorder.input(Input.ASKED, 0, existence, 0, 0, flags(options) | lacks(path));
    }
  }

  /** A put has begun. */
  void begun(long put) {
    recorder.input(Input.PUT, 0, 0, put, 0, 0);
  }

  /** More content of a put. */
  void append(long put, ByteBuffer bytes) {
    if (isOn()) {
      asked(put, bytes.remaining(), zeros(bytes));
    }
  }

  /** The end of a put. */
  void commit(long put, Durability durability) {
    if (isOn()) {
      recorder.input(Input.ASKED, recorder.name(durability.name()), 0, put, 0, 0);
    }
  }

  /** A put is given up. */
  void abandon(long put) {
    recorder.input(Input.ABANDON, 0, 0, put, 0, 0);
  }

  /** Content was opened: what is read of it is recorded, too. */
  Completion<OpenFile> opened(Completion<OpenFile> completion) {
    return isOn() ? completion.map(this::recorded) : completion;
  }

  private OpenFile recorded(OpenFile file) {
    PinnedContent content = file.content();
    if (content == null) {
      return file;
    }
    contents++;
    recorder.input(Input.OPENED, 0, 0, contents, 0, 0);
    return new OpenFile(file.info(), new RecordedContent(content, this, contents));
  }

  /** A read of content. */
  void read(long content, long offset, int maxBytes) {
    recorder.input(Input.READ, 0, 0, content, offset, maxBytes);
  }

  /** A read of content that only looks into memory. */
  void tryRead(long content, long offset, int maxBytes) {
    recorder.input(Input.TRY_READ, 0, 0, content, offset, maxBytes);
  }

  /** Content was closed. */
  void closed(long content) {
    recorder.input(Input.CLOSED, 0, 0, content, 0, 0);
  }

  /** A flush. */
  void flush() {
    if (isOn()) {
      asked(0, 0, 0);
    }
  }

  /** Changes that are asked for as one; none where content was brought before. */
  void changes(List<FileRequest> requests, Durability durability) {
    if (isOn() && requests.stream().noneMatch(Inputs::isStaged)) {
      requests.forEach(this::change);
      int named = recorder.name(durability.name());
      recorder.input(Input.ASKED, named, 0, requests.size(), 0, 0);
    }
  }

  private static boolean isStaged(FileRequest request) {
    return request instanceof FileRequest.Put put && put.content() instanceof FileContent.Staged;
  }

  private void change(FileRequest request) {
    switch (request) {
      case FileRequest.Put put -> {
        name(put.path(), 0);
        int flags = flags(put.options());
        switch (put.content()) {
          case FileContent.Bytes(byte[] bytes) ->
              change(
                  put,
                  put.options().condition(),
                  bytes.length,
                  flags | zeros(ByteBuffer.wrap(bytes)));
          case FileContent.Staged _ ->
              throw new IllegalStateException("content that was brought before");
        }
      }
      case FileRequest.CreateDirectory create -> {
        name(create.path(), 0);
        int flags = flags(create.parents()) | lacks(create.metadata());
        change(create, FileCondition.NONE, 0, flags);
      }
      case FileRequest.SymbolicLink link -> {
        name(link.path(), 0);
        int bytes = link.target().getBytes(StandardCharsets.UTF_8).length;
        // Where it leads to is a name that is nobody's.
        change(link, FileCondition.NONE, bytes, Input.NOT_ALL);
      }
      case FileRequest.Delete delete -> {
        name(delete.path(), 0);
        change(delete, delete.condition(), 0, 0);
      }
      case FileRequest.DeleteTree delete -> {
        name(delete.path(), 0);
        change(delete, delete.condition(), 0, 0);
      }
      case FileRequest.Rename rename -> {
        name(rename.from(), 0);
        name(rename.to(), 1);
        change(rename, rename.target(), 0, 0);
      }
      case FileRequest.Clone clone -> {
        name(clone.from(), 0);
        name(clone.to(), 1);
        change(clone, clone.target(), 0, 0);
      }
      case FileRequest.Splice splice -> {
        name(splice.path(), 0);
        recorder.input(Input.RANGE, 0, 0, splice.offset(), splice.removed(), 0);
        int zeros = zeros(ByteBuffer.wrap(splice.bytes()));
        change(splice, splice.condition(), splice.bytes().length, zeros);
      }
      case FileRequest.CopyRange copy -> {
        name(copy.from().path(), 0);
        name(copy.to(), 1);
        recorder.input(Input.RANGE, 0, 0, copy.from().offset(), copy.from().bytes(), 0);
        recorder.input(Input.RANGE, 0, 0, copy.offset(), 0, 0);
        int over = copy.placing() == FileRequest.Placing.OVERWRITE ? Input.OVER : 0;
        change(copy, copy.target(), 0, over);
      }
      case FileRequest.SetMetadata set -> {
        name(set.path(), 0);
        int links = set.links() == LinkPolicy.FOLLOW ? 0 : Input.NO_FOLLOW;
        change(set, set.condition(), 0, links | Input.NOT_ALL);
      }
      case FileRequest.SetProperty set -> {
        name(set.name(), 0);
        change(set, FileCondition.NONE, set.value().length, 0);
      }
      case FileRequest.RemoveProperty remove -> {
        name(remove.name(), 0);
        change(remove, FileCondition.NONE, 0, 0);
      }
    }
  }

  private void change(FileRequest request, FileCondition condition, long bytes, int flags) {
    int start = request.paths().stream().mapToInt(Inputs::lacks).reduce(0, (a, b) -> a | b);
    int kind = recorder.name(request.getClass().getSimpleName());
    int existence = recorder.name(condition.existence().name());
    recorder.input(Input.CHANGE, kind, existence, bytes, 0, flags | start | lacks(condition));
  }

  /** Content of zeros becomes holes, which are not written. */
  private static int zeros(ByteBuffer bytes) {
    int others = bytes.remaining() - 1;
    int at = bytes.position();
    boolean areAll =
        others >= 0
            && bytes.get(at) == 0
            && bytes.slice(at, others).mismatch(bytes.slice(at + 1, others)) < 0;
    return areAll ? Input.ZEROS : 0;
  }

  private static int flags(FileRequest.Parents parents) {
    return parents == FileRequest.Parents.MAKE ? Input.PARENTS : 0;
  }

  private static int flags(PutOptions options) {
    return flags(options.parents())
        | (options.links() == LinkPolicy.FOLLOW ? 0 : Input.NO_FOLLOW)
        | lacks(options.condition())
        | lacks(options.metadata());
  }

  /** Ids of directories are not recorded: such a path is replayed from the root on. */
  private static int lacks(StorePath path) {
    return path.directoryId() == FileManager.ROOT_ID ? 0 : Input.NOT_ALL;
  }

  private static int lacks(FileCondition condition) {
    return condition.equals(FileCondition.of(condition.existence())) ? 0 : Input.NOT_ALL;
  }

  private static int lacks(MetadataChange metadata) {
    return metadata.equals(MetadataChange.NONE) ? 0 : Input.NOT_ALL;
  }

  private boolean isOn() {
    return recorder.inputNames().isPresent();
  }

  private void asked(long number, long extra, int flags) {
    recorder.input(Input.ASKED, 0, 0, number, extra, flags);
  }

  private long name(StorePath path, int which) {
    long number = NameNumbers.ROOT;
    for (int i = 0; i < path.names().size(); i++) {
      number = name(number, path.encoded(i), which);
    }
    return number;
  }

  private void name(String name, int which) {
    name(NameNumbers.ROOT, name.getBytes(StandardCharsets.UTF_8), which);
  }

  private long name(long parent, byte[] name, int which) {
    long number = recorder.inputNames().map(numbers -> numbers.of(parent, name)).orElse(parent);
    recorder.input(Input.NAME, name.length, which, number, 0, 0);
    return number;
  }
}
