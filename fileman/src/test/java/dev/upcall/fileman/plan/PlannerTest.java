package dev.upcall.fileman.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.BatchResult;
import dev.upcall.Existence;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.content.Kind;
import dev.upcall.content.Texts;
import dev.upcall.content.Times;
import dev.upcall.request.FileRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The rules of the namespace, on trees in memory: files, directories, batches, listing. */
class PlannerTest extends PlannerFixture {
  // ------------------------------------------------------------------ put

  @Test
  void putMakesAFileAndTouchesItsDirectory() {
    FileInfo made = put("/a.txt", "hello");
    assertEquals("a.txt", made.name());
    assertEquals(Kind.FILE, made.kind());
    assertEquals(5, made.sizeBytes());
    assertEquals("text/plain", made.mediaType());
    assertEquals(new Times(now, now, now), made.times());
    assertEquals(1, made.links());
    assertEquals(1, made.version());
    assertEquals(now, stat("/").times().modifiedNanos());
    assertEquals("hello", read("/a.txt"));
  }

  @Test
  void putReplacesKeepingIdAndMetadata() {
    FileInfo made = put("/a", "one");
    done(
        new FileRequest.SetMetadata(
            path("/a"), LinkPolicy.FOLLOW, MetadataChange.NONE.withMode(0600).withOwner(77)));
    now = 2000;
    FileInfo replaced = put("/a", "three");
    assertEquals(made.id(), replaced.id());
    assertEquals(3, replaced.version());
    assertEquals(0600, replaced.mode());
    assertEquals(77, replaced.owner());
    assertEquals(new Times(1000, 2000, 2000), replaced.times());
    assertEquals(5, stat("/a").sizeBytes());
    assertEquals("three", read("/a"));
  }

  @Test
  void putObeysExistence() {
    PutOptions options = PutOptions.DEFAULT;
    failed(Failure.NotFound.class, put("/a", "x", options.withExistence(Existence.MUST_EXIST)));
    put("/a", "x");
    failed(
        Failure.AlreadyExists.class,
        put("/a", "y", options.withExistence(Existence.MUST_NOT_EXIST)));
    assertEquals("x", read("/a"));
  }

  @Test
  void putMakesParentsOnRequestOnly() {
    failed(Failure.NotFound.class, put("/a/b/c", "x", PutOptions.DEFAULT));
    assertEquals(1, trees.inodeCount());
    done(put("/a/b/c", "x", PutOptions.WITH_PARENTS));
    assertEquals("x", read("/a/b/c"));
    assertTrue(stat("/a/b").isDirectory());
  }

  @Test
  void putNeedsADirectoryOnTheWayAndNoneAtTheEnd() {
    put("/f", "x");
    failed(Failure.NotADirectory.class, put("/f/g", "x", PutOptions.WITH_PARENTS));
    directory("/d");
    failed(Failure.IsADirectory.class, put("/d", "x", PutOptions.DEFAULT));
    failed(Failure.IsADirectory.class, put("/", "x", PutOptions.DEFAULT));
  }

  @Test
  void attributesAreBounded() {
    MetadataChange large = MetadataChange.NONE.withAttribute("a", new byte[400]);
    failed(Failure.TooLarge.class, put("/a", "x", PutOptions.DEFAULT.withMetadata(large)));
    MetadataChange some = MetadataChange.NONE.withAttribute("k", new byte[] {1, 2});
    FileInfo made =
        ((Completion.Done<BatchResult>) put("/a", "x", PutOptions.DEFAULT.withMetadata(some)))
            .value()
            .only();
    assertArrayEquals(new byte[] {1, 2}, made.attributes().get("k"));
    MetadataChange away = MetadataChange.NONE.withAttribute("k", new byte[0]);
    done(new FileRequest.SetMetadata(path("/a"), LinkPolicy.FOLLOW, away));
    assertTrue(stat("/a").attributes().isEmpty());
  }

  @Test
  void mediaTypeAttributeWins() {
    MetadataChange type = MetadataChange.NONE.withAttribute("media-type", "x/y".getBytes());
    done(put("/a.html", "x", PutOptions.DEFAULT.withMetadata(type)));
    assertEquals("x/y", stat("/a.html").mediaType());
  }

  // ------------------------------------------------------------------ directories

  @Test
  void createDirectory() {
    directory("/d");
    failed(Failure.AlreadyExists.class, run(mkdir("/d", false)));
    done(mkdir("/d", true));
    failed(Failure.NotFound.class, run(mkdir("/x/y", false)));
    done(mkdir("/x/y/z", true));
    put("/f", "");
    failed(Failure.AlreadyExists.class, run(mkdir("/f", true)));
    failed(Failure.NotADirectory.class, run(mkdir("/f/g", true)));
    failed(Failure.AlreadyExists.class, run(mkdir("/", false)));
    done(mkdir("/", true));
    assertEquals(List.of("y"), names("/x"));
  }

  // ------------------------------------------------------------------ batches

  @Test
  void laterRequestsOfABatchSeeEarlierOnes() {
    MemoryTrees.Text first = new MemoryTrees.Text("one");
    MemoryTrees.Text second = new MemoryTrees.Text("two");
    Completion<BatchResult> result =
        run(
            mkdir("/d", false),
            new FileRequest.Put(path("/d/f"), new FileContent.Staged(first), PutOptions.DEFAULT),
            new FileRequest.Put(path("/d/f"), new FileContent.Staged(second), PutOptions.DEFAULT),
            new FileRequest.SymbolicLink(path("/l"), "d", MetadataChange.NONE),
            new FileRequest.SetMetadata(
                path("/l/f"), LinkPolicy.FOLLOW, MetadataChange.NONE.withMode(0600)),
            new FileRequest.Rename(path("/d"), path("/e"), Existence.MUST_NOT_EXIST),
            new FileRequest.Delete(path("/l")));
    List<java.util.Optional<FileInfo>> files = value(result).files();
    assertEquals(7, files.size());
    assertTrue(files.get(6).isEmpty());
    assertEquals("two", read("/e/f"));
    assertFalse(first.taken);
    assertEquals(0600, stat("/e/f").mode());
    assertEquals(1, stat("/e/f").version());
    assertEquals(List.of("e"), names("/"));
  }

  @Test
  void aFailedBatchLeavesNothing() {
    put("/keep", "x");
    failed(
        Failure.NotFound.class,
        run(
            mkdir("/d", false),
            new FileRequest.Delete(path("/keep")),
            new FileRequest.SetProperty("p", new byte[1]),
            new FileRequest.Delete(path("/missing"))));
    assertEquals(List.of("keep"), names("/"));
    assertEquals(Optional.empty(), value(trees.query(Looks.property("p"))));
  }

  @Test
  void aBatchCanMakeAndDeleteTrees() {
    done(
        mkdir("/t/u/v", true),
        new FileRequest.DeleteTree(path("/t")),
        mkdir("/t", false),
        mkdir("/t/w", false));
    assertEquals(List.of("w"), names("/t"));
    reclaimAll(1);
    assertEquals(3, trees.inodeCount());
    done(mkdir("/x", false), new FileRequest.Delete(path("/x")));
    assertEquals(3, trees.inodeCount());
    done(new FileRequest.Delete(path("/t/w")), new FileRequest.Delete(path("/t")));
    assertEquals(1, trees.inodeCount());
  }

  @Test
  void emptinessSeesTheBatch() {
    put("/a", "x");
    directory("/d");
    failed(
        Failure.DirectoryNotEmpty.class,
        run(rename2("/a", "/d/a"), new FileRequest.Delete(path("/d"))));
    done(rename2("/a", "/d/a"), rename2("/d/a", "/b"), new FileRequest.Delete(path("/d")));
    assertEquals(List.of("b"), names("/"));
  }

  @Test
  void propertiesAreKept() {
    done(new FileRequest.SetProperty("import.state", new byte[] {1, 2}));
    assertArrayEquals(
        new byte[] {1, 2}, value(trees.query(Looks.property("import.state"))).orElseThrow());
    done(new FileRequest.RemoveProperty("import.state"));
    done(new FileRequest.RemoveProperty("import.state"));
    assertEquals(Optional.empty(), value(trees.query(Looks.property("import.state"))));
    failed(Failure.Invalid.class, run(new FileRequest.SetProperty("", new byte[1])));
    failed(Failure.TooLarge.class, run(new FileRequest.SetProperty("x", new byte[1025])));
  }

  // ------------------------------------------------------------------ listing

  @Test
  void listingIsOrderedByBytesAndPaged() {
    // U+FFFD sorts before U+1F600 in UTF-8, but after it as UTF-16.
    List<String> all =
        new ArrayList<>(List.of("B", "a", "a.b", "ab", "\u00e4", "\ufffd", "\ud83d\ude00", "a b"));
    for (String name : all) {
      put("/" + name, "x");
    }
    put("/ab.sub", "x");
    all.add("ab.sub");
    all.sort(
        (a, b) -> Arrays.compareUnsigned(Texts.utf8(a).orElseThrow(), Texts.utf8(b).orElseThrow()));
    for (int limit = 1; limit <= all.size() + 1; limit++) {
      List<String> listed = new ArrayList<>();
      Looks.Page page = value(trees.query(Looks.page(StorePath.ROOT, null, limit)));
      page.entries().forEach(entry -> listed.add(entry.name()));
      while (page.nextAfter() != null) {
        page = value(trees.query(Looks.nextPage(page, limit)));
        page.entries().forEach(entry -> listed.add(entry.name()));
      }
      assertEquals(all, listed);
    }
    Looks.Page after =
        value(trees.query(Looks.page(StorePath.ROOT, Texts.utf8("aa").orElseThrow(), 2)));
    assertEquals("ab", after.entries().getFirst().name());
    failed(Failure.NotADirectory.class, trees.query(Looks.page(path("/B"), null, 2)));
  }

  // ------------------------------------------------------------------ values

  @Test
  void entityTagsTellVersionsApart() {
    FileInfo one = put("/a", "x");
    FileInfo two = put("/a", "y");
    assertNotEquals(one.entityTag(), two.entityTag());
  }
}
