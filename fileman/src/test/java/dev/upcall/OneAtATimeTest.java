package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who asks for a second thing where one at a time is allowed is told so, and harms nobody. */
class OneAtATimeTest {
  private static final int MORE_THAN_A_BLOCK = 5000;

  private static final String WAIT = "; wait for the completion of the one before";

  private static final String CONTENT = "too many requests at once for the same new content" + WAIT;

  private static final String HANDLE =
      "too many writing requests at once on the file opened as /f" + WAIT;

  private final FilesFixture fixture = FilesFixture.create(1);
  private final List<String> heard = new ArrayList<>();
  private final List<PutHandle> others = new ArrayList<>();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static ByteBuffer bytes(int count) {
    return ByteBuffer.allocate(count);
  }

  private <T> CompletionPort<T> port(String what) {
    return completion ->
        heard.add(
            completion instanceof Completion.Failed<T>(Failure failure)
                ? what + ": " + failure.message()
                : what);
  }

  /** Asks two things in one upcall; what is heard of them. */
  private List<String> both(
      Consumer<CompletionPort<Unit>> first, Consumer<CompletionPort<Unit>> second) {
    heard.clear();
    first.accept(port("first"));
    second.accept(port("second"));
    fixture.world().runUntil(() -> heard.size() == 2);
    heard.sort(null);
    return heard;
  }

  private FileHandle open() {
    return fixture.get(port -> fixture.files().open("/f", OpenMode.CREATE, port));
  }

  @Test
  void aHandleTakesOneWritingRequest() {
    FileHandle handle = open();
    assertEquals(
        List.of("first", "second: " + HANDLE),
        both(port -> handle.write(0, bytes(10), port), port -> handle.write(10, bytes(10), port)));
    assertEquals(
        List.of("first", "second: " + HANDLE),
        both(handle::flush, port -> handle.append(bytes(10), port)));
    assertEquals(
        List.of("first", "second: " + HANDLE),
        both(port -> handle.append(bytes(5), port), handle::flush));
    fixture.<Unit>get(handle::close);
    assertEquals(15, fixture.stat("/f").sizeBytes());
  }

  @Test
  void aCloseInTheMiddleOfAWriteGivesItUp() {
    FileHandle handle = open();
    assertEquals(
        List.of("first", "second: " + HANDLE),
        both(port -> handle.write(0, bytes(10), port), handle::close));
    assertEquals(0, fixture.files().fileManagerInfo().handlesOpen());
    assertEquals(0, fixture.stat("/f").sizeBytes());
  }

  /** A put whose append waits, since others hold all places for new content. */
  private PutHandle appending() {
    int places = fixture.files().store().metrics().places().getFirst().places();
    for (int i = 0; i < places; i++) {
      PutHandle other = begin("/other" + i);
      fixture.<Unit>get(port -> other.append(bytes(MORE_THAN_A_BLOCK), port));
      others.add(other);
    }
    PutHandle put = begin("/f");
    put.append(bytes(MORE_THAN_A_BLOCK), port("append"));
    return put;
  }

  private PutHandle begin(String path) {
    return fixture.get(port -> fixture.files().put(path, PutOptions.DEFAULT, port));
  }

  private void hears(String... what) {
    fixture.world().runUntil(() -> heard.size() == what.length);
    assertEquals(List.of(what), heard);
  }

  @Test
  void aPutTakesOneRequest() {
    PutHandle put = appending();
    put.append(bytes(10), port("second"));
    hears("second: " + CONTENT);
    others.forEach(PutHandle::abandon);
    hears("second: " + CONTENT, "append");
    fixture.<FileInfo>get(put::commit);
    assertEquals(MORE_THAN_A_BLOCK, fixture.stat("/f").sizeBytes());
  }

  @Test
  void aPutIsNotCommittedInTheMiddleOfAnAppend() {
    appending().commit(port("commit"));
    hears("commit: " + CONTENT, "append: append was cancelled");
    others.forEach(PutHandle::abandon);
    assertEquals(0, fixture.files().fileManagerInfo().handlesOpen());
  }

  @Test
  void finishedContentTakesNoMore() {
    ContentStager stager = fixture.files().stage(new LeaseOwner("test", 0));
    fixture.<Unit>get(port -> stager.append(bytes(10), port));
    StagedContent content = fixture.get(stager::finish);
    String closed = "new content that has ended is closed";
    assertEquals(
        List.of("first: " + closed, "second: " + closed),
        both(port -> stager.append(bytes(10), port), port -> stager.finish(finish(port))));
    content.discard();
  }

  private static CompletionPort<StagedContent> finish(CompletionPort<Unit> port) {
    return completion -> port.complete(completion.map(_ -> Unit.UNIT));
  }
}
