package dev.upcall.nio.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Calls of asynchronous channels, also of threads whose interrupt flag is set before. */
final class AsynchronousCalls {
  private AsynchronousCalls() {}

  private interface Use {
    Object with(AsynchronousFileChannel channel) throws Exception;
  }

  private static final OpenOption[][] WAYS = {{READ}, {WRITE}, {READ, WRITE}};

  static List<Call> all() {
    Map<String, Use> uses = uses();
    List<Call> calls = new ArrayList<>();
    for (OpenOption[] way : WAYS) {
      uses.forEach((name, use) -> calls.add(call("asynchronous " + name, use, false, way)));
    }
    uses.forEach(
        (name, use) -> {
          calls.add(
              call(
                  "closed asynchronous " + name,
                  c -> {
                    c.close();
                    return use.with(c);
                  },
                  false,
                  READ,
                  WRITE));
        });
    for (String name : List.of("size", "truncate", "force", "tryLock", "lock to the end")) {
      calls.add(call("interrupted asynchronous " + name, uses.get(name), true, READ, WRITE));
    }
    for (OpenOption[] way :
        new OpenOption[][] {
          {APPEND}, {APPEND, READ}, {APPEND, WRITE}, {APPEND, TRUNCATE_EXISTING}, {APPEND, CREATE}
        }) {
      calls.add(
          new Call(
              "asynchronous with " + Arrays.toString(way),
              root -> AsynchronousFileChannel.open(root.resolve("new"), way)));
    }
    return calls;
  }

  private static Call call(String name, Use use, boolean interrupted, OpenOption... options) {
    return new Call(
        name + " " + Arrays.toString(options),
        root -> {
          Path file = Files.writeString(root.resolve("file"), "0123456789");
          List<Object> answers = new ArrayList<>();
          try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, options)) {
            if (interrupted) {
              Thread.currentThread().interrupt();
            }
            try {
              answers.add(new Call(name, _ -> use.with(channel)).outcome(root));
            } finally {
              answers.add(Thread.interrupted());
            }
            answers.add(channel.isOpen());
          }
          return answers + Files.readString(file);
        });
  }

  /** What a future came to; where the call is interrupted it is not asked. */
  private static Object got(Future<?> future) throws InterruptedException {
    if (Thread.currentThread().isInterrupted()) {
      return "begun";
    }
    try {
      Object value = future.get();
      return value instanceof FileLock lock ? told(lock) : value;
    } catch (ExecutionException failed) {
      return "failed with " + failed.getCause().getClass().getName();
    }
  }

  private static String told(FileLock lock) {
    return lock.position() + " " + lock.size() + " " + lock.isShared() + " " + lock.isValid();
  }

  private static Map<String, Use> uses() {
    Map<String, Use> uses = new LinkedHashMap<>();
    uses.put("size", AsynchronousFileChannel::size);
    uses.put("truncate", c -> c.truncate(4).size());
    uses.put("truncate negative", c -> c.truncate(-1));
    uses.put("truncate to more", c -> c.truncate(40).size());
    uses.put(
        "force",
        c -> {
          c.force(true);
          return "forced";
        });
    uses.put("read", c -> got(c.read(ByteBuffer.allocate(4), 3)));
    uses.put("read nothing", c -> got(c.read(ByteBuffer.allocate(0), 3)));
    uses.put("read at the end", c -> got(c.read(ByteBuffer.allocate(4), 10)));
    uses.put("read behind the end", c -> got(c.read(ByteBuffer.allocate(4), 1L << 40)));
    uses.put("read negative", c -> got(c.read(ByteBuffer.allocate(4), -1)));
    uses.put("read into what is read only", c -> got(c.read(readOnly(), 0)));
    uses.put("read without a buffer", c -> got(c.read(null, 0)));
    uses.put("read without a handler", c -> refused(c, true));
    uses.put("write", c -> got(c.write(bytes("abc"), 3)));
    uses.put("write nothing", c -> got(c.write(bytes(""), 3)));
    uses.put("write behind the end", c -> got(c.write(bytes("abc"), 12)));
    uses.put("write negative", c -> got(c.write(bytes("abc"), -1)));
    uses.put("write without a buffer", c -> got(c.write(null, 0)));
    uses.put("write without a handler", c -> refused(c, false));
    for (boolean shared : new boolean[] {true, false}) {
      String end = shared ? " shared" : "";
      uses.put("lock to the end" + end, c -> got(c.lock(3, 0, shared)));
      uses.put("lock all" + end, c -> got(c.lock(0, 0, shared)));
      uses.put("lock some" + end, c -> got(c.lock(3, 4, shared)));
      uses.put("lock negative" + end, c -> got(c.lock(-1, 4, shared)));
      uses.put("lock negative size" + end, c -> got(c.lock(0, -4, shared)));
      uses.put(
          "lock twice" + end, c -> got(c.lock(3, 0, shared)) + " " + got(c.lock(9, 1, shared)));
      uses.put("tryLock" + end, c -> told(c.tryLock(3, 0, shared)));
      uses.put(
          "tryLock twice" + end,
          c -> told(c.tryLock(3, 0, shared)) + told(c.tryLock(3, 1, shared)));
      uses.put(
          "close and ask a lock" + end,
          c -> {
            FileLock lock = c.tryLock(3, 0, shared);
            c.close();
            return told(lock);
          });
    }
    return uses;
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static ByteBuffer readOnly() {
    return bytes("abc").asReadOnlyBuffer();
  }

  private static Object refused(AsynchronousFileChannel channel, boolean reads) throws IOException {
    CompletionHandler<Integer, Object> none = null;
    if (reads) {
      channel.read(ByteBuffer.allocate(1), 0, null, none);
    } else {
      channel.write(ByteBuffer.allocate(1), 0, null, none);
    }
    return "begun";
  }
}
