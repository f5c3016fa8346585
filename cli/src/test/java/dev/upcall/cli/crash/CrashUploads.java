package dev.upcall.cli.crash;

import dev.upcall.FileInfo;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A client that uploads file after file in parts, and goes on where it was when the server that it
 * talked to was killed; and the judge of what servers have told it.
 */
final class CrashUploads {
  private static final String PLACE = "/.upcall-uploads/";
  private static final int MOST_BYTES = 1 << 20;

  private final Random random;

  /** Files that were acknowledged. */
  private final Map<String, byte[]> complete = new LinkedHashMap<>();

  private final AtomicLong toldBytes = new AtomicLong();
  private String path = "";
  private byte[] content = {};
  private @Nullable String upload;
  private long told;

  /** Whether the rest was sent, and nothing was heard. */
  private boolean mayBeComplete;

  CrashUploads(long seed) {
    this.random = new Random(seed);
  }

  /** How many bytes servers have told it that they have; any thread. */
  long toldBytes() {
    return toldBytes.get();
  }

  /** Uploads until the server is gone. */
  void run(HttpClient client, URI server) throws IOException, InterruptedException {
    while (true) {
      if (upload == null) {
        begin(client, server);
      } else {
        goOn(client, server, upload);
      }
    }
  }

  private void begin(HttpClient client, URI server) throws IOException, InterruptedException {
    path = "/uploads/f" + complete.size();
    content = new byte[random.nextInt(MOST_BYTES)];
    random.nextBytes(content);
    told = 0;
    mayBeComplete = false;
    HttpRequest create =
        request(server, path)
            .header("Upload-Draft-Interop-Version", "8")
            .header("Upload-Complete", "?0")
            .PUT(BodyPublishers.noBody())
            .build();
    HttpResponse<Void> created = client.send(create, BodyHandlers.discarding());
    Comparison.check(created.statusCode() == 201, "an upload is answered " + created);
    upload = created.headers().firstValue("Location").orElseThrow();
  }

  private void goOn(HttpClient client, URI server, String place)
      throws IOException, InterruptedException {
    HttpRequest look = request(server, place).method("HEAD", BodyPublishers.noBody()).build();
    HttpResponse<Void> found = client.send(look, BodyHandlers.discarding());
    if (found.statusCode() == 404 && mayBeComplete) {
      ended();
      return;
    }
    Comparison.check(found.statusCode() == 204, "a look at an upload is answered " + found);
    hear(found);
    boolean last = random.nextInt(3) == 0;
    int from = (int) told;
    int to = last ? content.length : from + random.nextInt(content.length - from + 1);
    mayBeComplete |= last;
    HttpRequest append =
        request(server, place)
            .header("Content-Type", "application/partial-upload")
            .header("Upload-Offset", "" + from)
            .header("Upload-Complete", last ? "?1" : "?0")
            .method("PATCH", BodyPublishers.ofByteArray(content, from, to - from))
            .build();
    HttpResponse<Void> appended = client.send(append, BodyHandlers.discarding());
    int expected = last ? 201 : 204;
    Comparison.check(appended.statusCode() == expected, "an append is answered " + appended);
    if (last) {
      ended();
    } else {
      hear(appended);
      Comparison.check(told == to, "%d bytes of %d".formatted(told, to));
    }
  }

  private void hear(HttpResponse<Void> answer) {
    long offset = answer.headers().firstValueAsLong("Upload-Offset").orElseThrow();
    Comparison.check(offset >= told, "%d bytes are left of %d".formatted(offset, told));
    toldBytes.addAndGet(offset - told);
    told = offset;
  }

  private void ended() {
    complete.put(path, content);
    upload = null;
  }

  private static HttpRequest.Builder request(URI server, String path) {
    return HttpRequest.newBuilder(server.resolve(path)).timeout(Duration.ofSeconds(60));
  }

  /** Throws when something of what was told is missing or altered, or a file is half there. */
  void compare(Upcall store) {
    complete.forEach((file, bytes) -> isThere(store, file, bytes, bytes.length));
    String place = upload;
    if (place == null) {
      return;
    }
    String unfinished = PLACE + place.substring(place.indexOf('=') + 1);
    if (exists(store, path)) {
      Comparison.check(mayBeComplete, path + " was never sent whole");
      isThere(store, path, content, content.length);
    } else {
      FileInfo file = store.stat(unfinished);
      Comparison.check(
          file.sizeBytes() >= told, "%d bytes are left of %d".formatted(file.sizeBytes(), told));
      isThere(store, unfinished, content, (int) file.sizeBytes());
    }
  }

  private static boolean exists(Upcall store, String file) {
    try {
      return store.stat(file).isFile();
    } catch (UpcallException.NotFound none) {
      return false;
    }
  }

  private static void isThere(Upcall store, String file, byte[] bytes, int length) {
    Comparison.check(
        Arrays.equals(store.readAllBytes(file), Arrays.copyOf(bytes, length)),
        file + " has other bytes than were sent");
  }
}
