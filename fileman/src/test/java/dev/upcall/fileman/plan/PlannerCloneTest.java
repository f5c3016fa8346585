package dev.upcall.fileman.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Existence;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.PutOptions;
import dev.upcall.completion.Failure;
import dev.upcall.content.Times;
import dev.upcall.request.FileRequest;
import org.junit.jupiter.api.Test;

/** What clones are in the namespace, on trees in memory. */
class PlannerCloneTest extends PlannerFixture {
  @Test
  void aCloneIsAFileOfItsOwn() {
    put("/a.txt", "hello");
    done(
        new FileRequest.SetMetadata(
            path("/a.txt"), LinkPolicy.FOLLOW, MetadataChange.NONE.withMode(0600).withOwner(77)));
    FileInfo source = stat("/a.txt");
    now = 2000;
    done(cloneOf("/a.txt", "/b", Existence.MUST_NOT_EXIST));
    FileInfo clone = stat("/b");
    assertEquals("hello", read("/b"));
    assertNotEquals(source.id(), clone.id());
    assertEquals(1, clone.version());
    assertEquals(5, clone.sizeBytes());
    assertEquals(0600, clone.mode());
    assertEquals(77, clone.owner());
    assertEquals(new Times(2000, 2000, 2000), clone.times());
    assertEquals(source, stat("/a.txt"));
    assertEquals(2000, stat("/").times().modifiedNanos());
  }

  @Test
  void aCloneReplacesFilesAndLinksOnly() {
    put("/a", "a");
    FileInfo old = put("/b", "b");
    directory("/d");
    link("/l", "b");
    failed(Failure.AlreadyExists.class, run(cloneOf("/a", "/b", Existence.MUST_NOT_EXIST)));
    now = 2000;
    done(cloneOf("/a", "/b", Existence.ANY));
    assertEquals("a", read("/b"));
    assertEquals(old.id(), stat("/b").id());
    assertEquals(2, stat("/b").version());
    assertEquals(new Times(1000, 2000, 2000), stat("/b").times());
    failed(Failure.IsADirectory.class, run(cloneOf("/a", "/d", Existence.ANY)));
    failed(Failure.IsADirectory.class, run(cloneOf("/d", "/c", Existence.ANY)));
    failed(Failure.NotFound.class, run(cloneOf("/x", "/c", Existence.ANY)));
    failed(Failure.NotFound.class, run(cloneOf("/a", "/x/c", Existence.ANY)));
    done(cloneOf("/l", "/c", Existence.MUST_NOT_EXIST));
    assertTrue(stat("/c", LinkPolicy.NO_FOLLOW).isFile());
    done(cloneOf("/a", "/l", Existence.ANY));
    assertTrue(stat("/l", LinkPolicy.NO_FOLLOW).isFile());
    FileInfo before = stat("/a");
    done(cloneOf("/a", "/a", Existence.MUST_NOT_EXIST));
    assertEquals(before, stat("/a"));
  }

  @Test
  void clonesOfABatchHaveWhatTheirSourceHadThen() {
    put("/a", "old");
    MemoryTrees.Text text = new MemoryTrees.Text("new");
    done(
        cloneOf("/a", "/b", Existence.MUST_NOT_EXIST),
        cloneOf("/b", "/c", Existence.MUST_NOT_EXIST),
        new FileRequest.Put(path("/a"), new FileContent.Staged(text), PutOptions.DEFAULT),
        cloneOf("/a", "/d", Existence.MUST_NOT_EXIST),
        cloneOf("/d", "/e", Existence.MUST_NOT_EXIST),
        new FileRequest.Delete(path("/a")),
        cloneOf("/c", "/a", Existence.MUST_NOT_EXIST));
    assertEquals("old", read("/a"));
    assertEquals("old", read("/b"));
    assertEquals("old", read("/c"));
    assertEquals("new", read("/d"));
    assertEquals("new", read("/e"));
  }

  @Test
  void aCloneOfItsOwnCloneHasWhatItHad() {
    put("/a", "a");
    MemoryTrees.Text text = new MemoryTrees.Text("x");
    done(
        cloneOf("/a", "/b", Existence.MUST_NOT_EXIST),
        new FileRequest.Put(path("/a"), new FileContent.Staged(text), PutOptions.DEFAULT),
        cloneOf("/b", "/a", Existence.ANY));
    assertEquals("a", read("/a"));
    assertEquals(1, stat("/a").sizeBytes());
    assertFalse(text.taken);
  }

  @Test
  void clonesThatAreCopiedOnInOneBatchComeInTheRightOrder() {
    put("/a", "a");
    put("/b", "b");
    put("/c", "c");
    done(cloneOf("/b", "/a", Existence.ANY), cloneOf("/c", "/b", Existence.ANY));
    assertEquals("b", read("/a"));
    assertEquals("c", read("/b"));
    failed(
        Failure.Invalid.class,
        run(
            cloneOf("/a", "/t", Existence.MUST_NOT_EXIST),
            cloneOf("/b", "/a", Existence.ANY),
            cloneOf("/t", "/b", Existence.ANY)));
    assertEquals("b", read("/a"));
  }

  private static FileRequest cloneOf(String from, String to, Existence target) {
    return new FileRequest.Clone(path(from), path(to), target);
  }
}
