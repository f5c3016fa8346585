package dev.upcall.fileman.machine;

import dev.upcall.FileContent;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.OpenFile;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.record.Input;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.PinnedContent;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Writes into the flight recorder what calls ask for, so that a replay can ask it again, as {@link
 * Input} says; nothing unless that is recorded. Each is called behind the call's REQUEST.
 */
final class Inputs {
  private static final FileContent NOTHING = new FileContent.Bytes(new byte[0]);

  private final FlightRecorder recorder;
  private final RecordedRequest encoder;
  private long contents;

  Inputs(FlightRecorder recorder) {
    this.recorder = recorder;
    this.encoder = new RecordedRequest(recorder);
  }

  /** A look at what a path leads to, or at its content; values are not looked at again. */
  void look(StorePath path, LinkPolicy links) {
    if (isOn() && !path.isEntry()) {
      encoder.names(path);
      asked(0, path.directoryId(), links == LinkPolicy.FOLLOW ? 0 : Input.NO_FOLLOW);
    }
  }

  /** A look at a property. */
  void property(String name) {
    if (isOn()) {
      encoder.text(name);
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
    encoder.names(directory);
    beyond.ifPresent(name -> encoder.name(name.getBytes(StandardCharsets.UTF_8), 1));
    recorder.input(Input.ASKED, direction, 0, limit, directory.directoryId(), 0);
  }

  /** The begin of a put. */
  void put(StorePath path, PutOptions options) {
    if (isOn()) {
      change(new FileRequest.Put(path, NOTHING, options));
      asked(0, 0, 0);
    }
  }

  /** A put has begun. */
  void begun(long put) {
    recorder.input(Input.PUT, 0, 0, put, 0, 0);
  }

  /** More content of a put. */
  void append(long put, ByteBuffer bytes) {
    if (isOn()) {
      asked(put, bytes.remaining(), RecordedRequest.areZeros(bytes) ? Input.ZEROS : 0);
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
  Completion<OpenFile> opened(StorePath path, Completion<OpenFile> completion) {
    return isOn() && !path.isEntry() ? completion.map(this::recorded) : completion;
  }

  private OpenFile recorded(OpenFile file) {
    PinnedContent content = file.content();
    if (content == null) {
      return file;
    }
    contents++;
    recorder.input(Input.OPENED, 0, 0, contents, 0, 0);
    return new OpenFile(file.info(), new RecordedContent(content, this, contents), file.led());
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

  /** Changes that are asked for as one; none where content was brought before, or in vain. */
  void changes(List<FileRequest> requests, Durability durability) {
    if (isOn() && requests.stream().noneMatch(each -> isStaged(each) || isRefused(each))) {
      requests.forEach(this::change);
      int named = recorder.name(durability.name());
      recorder.input(Input.ASKED, named, 0, requests.size(), 0, 0);
    }
  }

  private static boolean isStaged(FileRequest request) {
    return request instanceof FileRequest.Put put && put.content() instanceof FileContent.Staged;
  }

  /** Whether it is no put, and about the path of a value. */
  private static boolean isRefused(FileRequest request) {
    return !(request instanceof FileRequest.Put)
        && request.paths().stream().anyMatch(StorePath::isEntry);
  }

  private void change(FileRequest request) {
    encoder.request(request);
    byte[] bytes = encoder.take();
    ByteBuffer words = ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length + Input.CHANGE_BYTES));
    words.order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < bytes.length; at += Input.CHANGE_BYTES) {
      int left = bytes.length - at;
      recorder.input(
          Input.CHANGE,
          Math.min(left, Input.CHANGE_BYTES),
          left > Input.CHANGE_BYTES ? 1 : 0,
          words.getLong(at),
          words.getLong(at + Long.BYTES),
          words.getLong(at + 2 * Long.BYTES));
    }
  }

  boolean isOn() {
    return recorder.inputNames().isPresent();
  }

  private void asked(long number, long extra, int flags) {
    recorder.input(Input.ASKED, 0, 0, number, extra, flags);
  }
}
