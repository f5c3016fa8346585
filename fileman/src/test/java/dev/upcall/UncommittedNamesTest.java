package dev.upcall;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.machine.UncommittedNames;
import dev.upcall.store.Durability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Changes find the names of files that somebody has made and not committed. */
class UncommittedNamesTest {
  private final FilesFixture fixture = FilesFixture.create(1);
  private final FileManager files = fixture.files();
  private final UncommittedNames names = files.uncommittedNames();
  private final Maker maker = new Maker();

  /** Who makes a file, which is committed when the test says so. */
  private static final class Maker implements UncommittedNames.Source {
    private boolean any;
    private final List<Runnable> waiting = new ArrayList<>();

    @Override
    public boolean areAny() {
      return any;
    }

    @Override
    public void commitThen(Runnable next) {
      waiting.add(next);
    }
  }

  UncommittedNamesTest() {
    names.source(maker);
  }

  @AfterEach
  void close() {
    assertFalse(names.areChanging());
    fixture.close();
  }

  private static FileRequest put(String path, String content, FileCondition condition) {
    FileContent bytes = new FileContent.Bytes(content.getBytes(UTF_8));
    return new FileRequest.Put(
        StorePath.of(path), bytes, PutOptions.DEFAULT.withCondition(condition));
  }

  private static FileRequest directory(String path) {
    return new FileRequest.CreateDirectory(
        path(path), FileRequest.Parents.MUST_EXIST, MetadataChange.NONE);
  }

  /** A request that has not ended at once. */
  private static final class Asked<T> implements CompletionPort<T> {
    private final List<Completion<T>> ended = new ArrayList<>();

    @Override
    public void complete(Completion<T> completion) {
      ended.add(completion);
    }

    Completion<T> only() {
      assertEquals(1, ended.size());
      return ended.getFirst();
    }
  }

  private Asked<BatchResult> ask(FileRequest... requests) {
    Asked<BatchResult> asked = new Asked<>();
    files.batch(List.of(requests), Durability.SYNC, asked);
    return asked;
  }

  /** The maker commits a file; those who wait hear of it later. */
  private void commit(String path) {
    Completion<BatchResult> made =
        fixture.await(
            port -> files.commitNames(List.of(put(path, "made", FileCondition.ABSENT)), port));
    assertInstanceOf(Completion.Done.class, made);
    maker.any = false;
  }

  private void goOn(Asked<?>... asked) {
    List<Runnable> next = List.copyOf(maker.waiting);
    maker.waiting.clear();
    next.forEach(Runnable::run);
    fixture.world().runUntil(() -> Arrays.stream(asked).noneMatch(each -> each.ended.isEmpty()));
  }

  private static void assertTaken(Completion<?> completion) {
    assertInstanceOf(
        Failure.AlreadyExists.class,
        assertInstanceOf(Completion.Failed.class, completion).failure());
  }

  @Test
  void aChangeWaitsUntilWhatWasMadeIsCommittedAndOthersBehindIt() {
    maker.any = true;
    Asked<BatchResult> first = ask(directory("/f"));
    assertTrue(names.areChanging());
    Asked<BatchResult> second = ask(new FileRequest.Rename(path("/f"), path("/g"), Existence.ANY));
    fixture.world().runUntilIdle();
    commit("/f");
    Asked<BatchResult> third = ask(put("/g", "third", FileCondition.PRESENT));
    fixture.world().runUntilIdle();
    assertEquals(List.of(), first.ended);
    assertEquals(List.of(), second.ended);
    assertEquals(List.of(), third.ended);
    assertTrue(names.areChanging());
    assertEquals(1, maker.waiting.size(), "one commit for all that wait");
    goOn(first, second, third);
    assertTaken(first.only());
    assertInstanceOf(Completion.Done.class, second.only());
    assertInstanceOf(Completion.Done.class, third.only());
    assertArrayEquals("third".getBytes(UTF_8), fixture.read("/g"));
  }

  @Test
  void whatCannotBeCommittedKeepsNobody() {
    maker.any = true;
    Asked<BatchResult> put = ask(put("/f", "other", FileCondition.ABSENT));
    goOn(put);
    assertInstanceOf(Completion.Done.class, put.only());
    maker.any = false;
  }

  @Test
  void openingsAndPutsLookWhenItIsCommitted() {
    maker.any = true;
    Asked<FileHandle> taken = new Asked<>();
    files.open("/f", OpenMode.CREATE_NEW, taken);
    Asked<FileHandle> opened = new Asked<>();
    files.open("/f", OpenMode.EXISTING, opened);
    Asked<PutHandle> begun = new Asked<>();
    files.put("/f", PutOptions.DEFAULT.withCondition(FileCondition.ABSENT), begun);
    assertTrue(names.areChanging());
    commit("/f");
    goOn(taken, opened, begun);
    assertTaken(taken.only());
    assertTaken(begun.only());
    FileHandle handle =
        assertInstanceOf(FileHandle.class, ((Completion.Done<?>) opened.only()).value());
    assertEquals(4, handle.info().sizeBytes());
    handle.abandon();
    fixture.world().runUntilIdle();
  }

  @Test
  void aTransactionChangesNamesFromItsFirstChangeUntilItIsOver() {
    for (boolean commits : List.of(true, false)) {
      FileTransaction transaction = fixture.get(files::begin);
      assertFalse(names.areChanging());
      maker.any = true;
      Asked<BatchResult> changed = new Asked<>();
      transaction.batch(List.of(directory("/t" + commits)), changed);
      assertTrue(names.areChanging());
      Asked<Long> committed = new Asked<>();
      if (commits) {
        transaction.commit(Durability.SYNC, committed); // does not overtake its change
      }
      commit("/f" + commits);
      goOn(changed);
      assertInstanceOf(Completion.Done.class, changed.only());
      if (!commits) {
        assertTrue(names.areChanging());
        transaction.rollback();
      } else {
        goOn(committed);
        assertInstanceOf(Completion.Done.class, committed.only());
        assertTrue(fixture.stat("/ttrue").isDirectory());
      }
      assertFalse(names.areChanging());
    }
  }

  @Test
  void aTransactionThatIsOverWhileItWaitsLeavesNothingBehind() {
    FileTransaction transaction = fixture.get(files::begin);
    maker.any = true;
    Asked<BatchResult> changed = new Asked<>();
    transaction.batch(List.of(put("/t", "t", FileCondition.ABSENT)), changed);
    transaction.rollback();
    assertTrue(names.areChanging(), "it waits");
    commit("/f");
    goOn(changed);
    assertInstanceOf(Completion.Failed.class, changed.only());
  }

  @Test
  void whatOthersWaitForIsNotRefusedWhenAsManyWaitAsMayBe() {
    maker.any = true;
    List<Asked<BatchResult>> all = new ArrayList<>();
    while (all.isEmpty() || all.getLast().ended.isEmpty()) {
      all.add(ask(put("/f", "other", FileCondition.ABSENT)));
      fixture.world().runUntilIdle();
    }
    assertInstanceOf(
        Failure.Busy.class,
        assertInstanceOf(Completion.Failed.class, all.removeLast().only()).failure());
    commit("/f");
    goOn(all.toArray(Asked[]::new));
    all.forEach(each -> assertTaken(each.only()));
  }

  private static StorePath path(String path) {
    return StorePath.of(path);
  }
}
