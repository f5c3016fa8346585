package dev.upcall.fileman.machine;

import dev.upcall.FileManager;
import dev.upcall.StorePath;
import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.content.EditPolicy;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.record.Input;
import dev.upcall.fsm.record.NameNumbers;
import dev.upcall.request.codec.RequestEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Requests as the flight recorder has them: names stand before them as NAMEs, and of contents and
 * values is only told how long they are, and whether they are zeros.
 */
final class RecordedRequest extends RequestEncoder {
  /** Attributes with a number from 1 on. */
  private static final List<String> OPTIONS =
      List.of(EditPolicy.ATTRIBUTE, Dedup.ATTRIBUTE, Compression.ATTRIBUTE);

  private final FlightRecorder recorder;

  RecordedRequest(FlightRecorder recorder) {
    this.recorder = recorder;
  }

  /** How many names, and where they begin if that is not the root. */
  @Override
  protected void path(StorePath path) {
    boolean isFromRoot = path.directoryId() == FileManager.ROOT_ID;
    number(2L * path.names().size() + (isFromRoot ? 0 : 1));
    if (!isFromRoot) {
      number(path.directoryId());
    }
    names(path);
  }

  /** The names of a path alone. */
  void names(StorePath path) {
    for (int i = 0; i < path.names().size(); i++) {
      name(path.encoded(i), 0);
    }
  }

  /** A star for each name, with the slashes and dots between them. */
  @Override
  protected void target(String target) {
    StringBuilder shape = new StringBuilder();
    for (String name : target.splitWithDelimiters("/", -1)) {
      boolean isName = !name.isEmpty() && !name.equals("/") && !isDots(name);
      shape.append(isName ? "*" : name);
      if (isName) {
        text(name);
      }
    }
    put(shape.toString().getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  protected void text(String text) {
    name(text.getBytes(StandardCharsets.UTF_8), 0);
  }

  @Override
  protected void bytes(byte[] content) {
    number(2L * content.length + (areZeros(ByteBuffer.wrap(content)) ? 1 : 0));
  }

  /** A name, as that of a file. */
  @Override
  protected void key(byte[] key) {
    name(key, 0);
  }

  /** An option of the store's is no secret, and decides what it does. */
  @Override
  protected void attribute(String name, byte[] value) {
    int option = OPTIONS.indexOf(name);
    number(option + 1);
    if (option >= 0) {
      put(value);
    } else {
      text(name);
      number(value.length);
    }
  }

  /** A name in front of what it is of. */
  void name(byte[] name, int which) {
    boolean isDots = name.length <= 2 && isDots(new String(name, StandardCharsets.UTF_8));
    long number =
        isDots
            ? NameNumbers.NONE
            : recorder.inputNames().map(numbers -> numbers.of(name)).orElse(NameNumbers.NONE);
    recorder.input(Input.NAME, name.length, which, number, 0, 0);
  }

  private static boolean isDots(String name) {
    return name.equals(".") || name.equals("..");
  }

  /** Content of zeros becomes holes, which are not written. */
  static boolean areZeros(ByteBuffer bytes) {
    int others = bytes.remaining() - 1;
    int at = bytes.position();
    return others >= 0
        && bytes.get(at) == 0
        && bytes.slice(at, others).mismatch(bytes.slice(at + 1, others)) < 0;
  }
}
