package dev.upcall;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.request.FileRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a file manager counts is what was asked of it. */
class FileManagerMetricsTest {
  private static final long SHORTEST_DISK_NANOS = 20_000;

  private final FilesFixture fixture = FilesFixture.create(5);
  private final FileManager files = fixture.files();

  private FileManagerMetrics.Counts counts(FileOperation operation) {
    return files.metrics().of(operation);
  }

  private void put(String path, String content) {
    FileContent bytes = new FileContent.Bytes(content.getBytes(UTF_8));
    fixture.batch(new FileRequest.Put(StorePath.of(path), bytes, PutOptions.DEFAULT));
  }

  @Test
  void eachOperationIsCountedUnderItsName() {
    put("/a", "x");
    for (int i = 0; i < 10; i++) {
      String path = i < 7 ? "/a" : "/missing";
      fixture.<FileInfo>await(port -> files.stat(StorePath.of(path), LinkPolicy.FOLLOW, port));
    }
    fixture.<FileInfo>await(port -> files.createDirectory(StorePath.of("/d"), port));
    fixture.<Listing>await(port -> files.list(StorePath.ROOT, "", 10, port));
    assertEquals(1, counts(FileOperation.BATCH).nanos().count());
    assertEquals(10, counts(FileOperation.STAT).nanos().count());
    assertEquals(3, counts(FileOperation.STAT).failed());
    assertEquals(1, counts(FileOperation.CREATE_DIRECTORY).nanos().count());
    assertEquals(1, counts(FileOperation.LIST).nanos().count());
    assertEquals(0, counts(FileOperation.DELETE).nanos().count());
    assertEquals(0, files.metrics().refused());
    assertEquals(0, files.metrics().info().requestsInside());
  }

  /** A request by itself is counted as its kind; what has no name there, as a batch of one. */
  @Test
  void aRequestIsCountedByItsKind() {
    StorePath path = StorePath.of("/d");
    fixture.<Optional<FileInfo>>get(
        port -> files.change(new FileRequest.CreateDirectory(path), port));
    fixture.<Unit>get(port -> files.setProperty("p", new byte[1], port));
    fixture.<FileInfo>get(port -> files.rename("/d", "/e", Existence.MUST_NOT_EXIST, port));
    fixture.<Unit>get(port -> files.delete("/e", port));
    fixture.<Unit>get(port -> files.removeProperty("p", port));
    FileContent bytes = new FileContent.Bytes(new byte[10]);
    fixture.<Optional<FileInfo>>get(
        port -> files.change(new FileRequest.Put(path, bytes, PutOptions.DEFAULT), port));
    assertEquals(1, counts(FileOperation.CREATE_DIRECTORY).nanos().count());
    assertEquals(1, counts(FileOperation.RENAME).nanos().count());
    assertEquals(1, counts(FileOperation.DELETE).nanos().count());
    assertEquals(3, counts(FileOperation.BATCH).nanos().count());
  }

  @Test
  void aTextThatIsNoPathIsToldToThePortAndAsksNothing() {
    List<Completion<?>> told = new ArrayList<>();
    files.createDirectory("no-slash", told::add);
    files.rename("/a", "/..", Existence.ANY, told::add);
    files.delete("", told::add);
    files.stat("a", LinkPolicy.FOLLOW, told::add);
    files.openRead("a", FilesFixture.OWNER, told::add);
    files.list("a", "", 1, told::add);
    files.put("a", PutOptions.DEFAULT, told::add);
    files.open("a", OpenMode.CREATE, told::add);
    assertTrue(told.isEmpty(), "no completion comes inside the call");
    told.add(files.tryOpenRead("a", FilesFixture.OWNER));
    fixture.world().runUntil(() -> told.size() == 9);
    for (Completion<?> completion : told) {
      assertTrue(
          completion instanceof Completion.Failed<?>(Failure.Invalid _), completion::toString);
    }
    for (FileOperation operation : FileOperation.values()) {
      assertEquals(0, counts(operation).nanos().count(), operation::name);
    }
  }

  @Test
  void handlesAreCountedByWhatTheyDo() {
    PutHandle put = fixture.get(port -> files.put(StorePath.of("/p"), PutOptions.DEFAULT, port));
    fixture.<Unit>get(port -> put.append(ByteBuffer.wrap(new byte[10]), port));
    fixture.<FileInfo>get(put::commit);
    FileHandle handle =
        fixture.get(port -> files.open(StorePath.of("/p"), OpenMode.EXISTING, port));
    fixture.<Unit>get(port -> handle.append(ByteBuffer.wrap(new byte[10]), port));
    fixture.<Unit>get(port -> handle.truncate(5, port));
    fixture.<Unit>get(handle::flush);
    fixture.<Unit>get(handle::close);
    assertEquals(1, counts(FileOperation.PUT_BEGIN).nanos().count());
    assertEquals(1, counts(FileOperation.PUT_APPEND).nanos().count());
    assertEquals(1, counts(FileOperation.PUT_COMMIT).nanos().count());
    assertEquals(1, counts(FileOperation.OPEN).nanos().count());
    assertEquals(2, counts(FileOperation.HANDLE_WRITE).nanos().count());
    assertEquals(2, counts(FileOperation.HANDLE_FLUSH).nanos().count());
    assertEquals(0, counts(FileOperation.BATCH).nanos().count(), "nobody asked for a batch");
  }

  @Test
  void whatIsDurableTookTheDisksTimeAndWhatIsWarmTookNone() {
    put("/a", "x");
    for (int i = 0; i < 20; i++) {
      assertEquals("x", new String(fixture.read("/a"), UTF_8));
    }
    assertTrue(counts(FileOperation.BATCH).nanos().quantile(0) >= SHORTEST_DISK_NANOS);
    assertEquals(20, counts(FileOperation.OPEN_READ).nanos().count());
    assertEquals(0, counts(FileOperation.OPEN_READ).nanos().max(), "simulated time stood still");
  }

  @Test
  void whoIsRefusedAtTheEntranceIsCountedApart() {
    List<Completion<FileInfo>> completions = new ArrayList<>();
    int asked = 1003;
    for (int i = 0; i < asked; i++) {
      files.stat(StorePath.ROOT, LinkPolicy.FOLLOW, completions::add);
    }
    fixture.world().runUntil(() -> completions.size() == asked);
    long busy =
        completions.stream()
            .filter(
                done ->
                    done instanceof Completion.Failed<FileInfo>(Failure why)
                        && why instanceof Failure.Busy)
            .count();
    assertEquals(3, busy);
    assertEquals(3, files.metrics().refused());
    assertEquals(1000, counts(FileOperation.STAT).nanos().count());
    assertEquals(0, counts(FileOperation.STAT).failed());
  }
}
