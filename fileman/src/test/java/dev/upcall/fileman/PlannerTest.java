package dev.upcall.fileman;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.Failure;
import dev.upcall.segment.Inode;
import dev.upcall.segment.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of the namespace, on trees in memory. */
class PlannerTest {
  private final MemoryTrees trees = new MemoryTrees();
  private long now = 1000;

  // ------------------------------------------------------------------ put

  @Test
  void putMakesAFileAndTouchesItsDirectory() {
    FileInfo made = put("/a.txt", "hello");
    assertEquals("a.txt", made.name());
    assertEquals(Kind.FILE, made.kind());
    assertEquals(5, made.sizeBytes());
    assertEquals("text/plain", made.mediaType());
    assertEquals(new Inode.Times(now, now, now), made.times());
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
    assertEquals(new Inode.Times(1000, 2000, 2000), replaced.times());
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

  // ------------------------------------------------------------------ links

  @Test
  void linksAreFollowedInsideTheStoreOnly() {
    done(mkdir("/a/b", true));
    put("/a/b/f.css", "deep");
    link("/abs", "/a/b");
    link("/rel", "a/b/f.css");
    link("/a/up", "../../../../a/./b//");
    assertEquals("deep", read("/abs/f.css"));
    assertEquals("deep", read("/rel"));
    assertEquals("deep", read("/a/up/f.css"));
    assertEquals("text/css", stat("/rel").mediaType());
    assertTrue(stat("/rel", LinkPolicy.NO_FOLLOW).isSymbolicLink());
    assertEquals("a/b/f.css", value(trees.query(Looks.readLink(path("/rel")))));
    failed(Failure.Invalid.class, trees.query(Looks.readLink(path("/a"))));
    link("/top", "..");
    assertEquals(FileManager.ROOT_ID, stat("/top").id());
    assertEquals(FileManager.ROOT_ID, stat("/top/top").id());
  }

  @Test
  void linksEndAfterForty() {
    link("/loop", "loop");
    failed(Failure.LinkLoop.class, trees.query(Looks.stat(path("/loop"), LinkPolicy.FOLLOW)));
    failed(Failure.LinkLoop.class, trees.query(Looks.stat(path("/loop/x"), LinkPolicy.FOLLOW)));
    put("/l0", "end");
    for (int i = 1; i <= 41; i++) {
      link("/l" + i, "l" + (i - 1));
    }
    assertEquals("end", read("/l40"));
    failed(Failure.LinkLoop.class, trees.query(Looks.stat(path("/l41"), LinkPolicy.FOLLOW)));
  }

  @Test
  void danglingLinkCanBePutThroughOrReplaced() {
    link("/l", "d/target");
    failed(Failure.NotFound.class, trees.query(Looks.stat(path("/l"), LinkPolicy.FOLLOW)));
    failed(Failure.NotFound.class, put("/l", "x", PutOptions.DEFAULT));
    done(put("/l", "x", PutOptions.WITH_PARENTS));
    assertEquals("x", read("/d/target"));
    assertTrue(stat("/l", LinkPolicy.NO_FOLLOW).isSymbolicLink());
  }

  @Test
  void putWithoutFollowingReplacesTheLinkItself() {
    put("/target", "old");
    link("/l", "target");
    done(put("/l", "new", PutOptions.DEFAULT.withLinks(LinkPolicy.NO_FOLLOW)));
    assertEquals("old", read("/target"));
    assertEquals("new", read("/l"));
    assertTrue(stat("/l", LinkPolicy.NO_FOLLOW).isFile());
    assertEquals(3, trees.inodeCount());
  }

  @Test
  void linkTargetsThatAreNoNames() {
    link("/long", "x".repeat(300));
    failed(Failure.NotFound.class, trees.query(Looks.stat(path("/long"), LinkPolicy.FOLLOW)));
    failed(Failure.Invalid.class, put("/long", "x", PutOptions.DEFAULT));
    failed(
        Failure.Invalid.class,
        run(new FileRequest.SymbolicLink(path("/e"), "", MetadataChange.NONE)));
    failed(
        Failure.TooLarge.class,
        run(new FileRequest.SymbolicLink(path("/e"), "x".repeat(601), MetadataChange.NONE)));
  }

  // ------------------------------------------------------------------ deletion

  @Test
  void deleteTakesFilesLinksAndEmptyDirectories() {
    put("/f", "x");
    link("/l", "f");
    directory("/d");
    put("/d/g", "y");
    failed(Failure.DirectoryNotEmpty.class, run(new FileRequest.Delete(path("/d"))));
    done(new FileRequest.Delete(path("/l")));
    assertEquals("x", read("/f"));
    done(new FileRequest.Delete(path("/f")));
    done(new FileRequest.Delete(path("/d/g")));
    done(new FileRequest.Delete(path("/d")));
    failed(Failure.NotFound.class, run(new FileRequest.Delete(path("/d"))));
    failed(Failure.Invalid.class, run(new FileRequest.Delete(path("/"))));
    assertEquals(1, trees.inodeCount());
    assertEquals(0, trees.entryCount());
  }

  @Test
  void deletedTreesAreTakenApartInSteps() {
    for (int i = 0; i < 20; i++) {
      done(put("/t/d" + i % 4 + "/e/f" + i, "x", PutOptions.WITH_PARENTS));
    }
    put("/keep", "x");
    done(new FileRequest.DeleteTree(path("/t")));
    assertEquals(List.of("keep"), names("/"));
    assertEquals(1, trees.orphanCount());
    int steps = reclaimAll(3);
    assertTrue(steps > 8, () -> "steps: " + steps);
    assertEquals(2, trees.inodeCount());
    assertEquals(1, trees.entryCount());
    assertEquals(0, trees.orphanCount());
  }

  @Test
  void deleteTreeOfSmallThingsLeavesNoOrphan() {
    put("/f", "x");
    directory("/d");
    done(new FileRequest.DeleteTree(path("/f")));
    done(new FileRequest.DeleteTree(path("/d")));
    assertEquals(0, trees.orphanCount());
    assertEquals(1, trees.inodeCount());
    failed(Failure.Invalid.class, run(new FileRequest.DeleteTree(path("/"))));
  }

  // ------------------------------------------------------------------ rename

  @Test
  void renameMovesFilesAndTrees() {
    done(put("/a/b/f", "x", PutOptions.WITH_PARENTS));
    directory("/z");
    long id = stat("/a/b").id();
    done(new FileRequest.Rename(path("/a/b"), path("/z/c"), false));
    assertEquals(id, stat("/z/c").id());
    assertEquals("x", read("/z/c/f"));
    assertEquals(List.of(), names("/a"));
    link("/z/c/up", "..");
    assertEquals(stat("/z").id(), stat("/z/c/up").id());
  }

  @Test
  void renameChecksForCycles() {
    done(mkdir("/a/b/c", true));
    failed(Failure.Invalid.class, rename("/a", "/a/x", false));
    failed(Failure.Invalid.class, rename("/a", "/a/b/c/x", true));
    failed(Failure.Invalid.class, rename("/a", "/a/b/c", true));
    failed(Failure.Invalid.class, rename("/", "/x", true));
    link("/l", "a/b");
    failed(Failure.Invalid.class, rename("/a", "/l/x", true));
    done(rename("/a/b", "/b", false));
    done(rename("/a", "/b/c/a", false));
  }

  @Test
  void renameObeysReplace() {
    put("/a", "a");
    put("/b", "b");
    failed(Failure.AlreadyExists.class, rename("/a", "/b", false));
    done(rename("/a", "/b", true));
    assertEquals("a", read("/b"));
    assertEquals(2, trees.inodeCount());
    directory("/d");
    directory("/e");
    put("/e/f", "x");
    failed(Failure.IsADirectory.class, rename("/b", "/d", true));
    failed(Failure.NotADirectory.class, rename("/d", "/b", true));
    failed(Failure.DirectoryNotEmpty.class, rename("/d", "/e", true));
    failed(Failure.DirectoryNotEmpty.class, rename("/d", "/", true));
    done(rename("/e", "/d", true));
    assertEquals("x", read("/d/f"));
    failed(Failure.NotFound.class, rename("/e", "/x", true));
    failed(Failure.NotFound.class, rename("/b", "/x/y", true));
  }

  @Test
  void renameOntoItselfDoesNothing() {
    FileInfo before = put("/a", "a");
    done(rename("/a", "/a", false));
    assertEquals(before.version(), stat("/a").version());
    link("/l", "a");
    done(rename("/l", "/m", false));
    assertTrue(stat("/m", LinkPolicy.NO_FOLLOW).isSymbolicLink());
  }

  // ------------------------------------------------------------------ clone

  @Test
  void aCloneIsAFileOfItsOwn() {
    put("/a.txt", "hello");
    done(
        new FileRequest.SetMetadata(
            path("/a.txt"), LinkPolicy.FOLLOW, MetadataChange.NONE.withMode(0600).withOwner(77)));
    FileInfo source = stat("/a.txt");
    now = 2000;
    done(cloneOf("/a.txt", "/b", false));
    FileInfo clone = stat("/b");
    assertEquals("hello", read("/b"));
    assertNotEquals(source.id(), clone.id());
    assertEquals(1, clone.version());
    assertEquals(5, clone.sizeBytes());
    assertEquals(0600, clone.mode());
    assertEquals(77, clone.owner());
    assertEquals(new Inode.Times(2000, 2000, 2000), clone.times());
    assertEquals(source, stat("/a.txt"));
    assertEquals(2000, stat("/").times().modifiedNanos());
  }

  @Test
  void aCloneReplacesFilesAndLinksOnly() {
    put("/a", "a");
    FileInfo old = put("/b", "b");
    directory("/d");
    link("/l", "b");
    failed(Failure.AlreadyExists.class, run(cloneOf("/a", "/b", false)));
    now = 2000;
    done(cloneOf("/a", "/b", true));
    assertEquals("a", read("/b"));
    assertEquals(old.id(), stat("/b").id());
    assertEquals(2, stat("/b").version());
    assertEquals(new Inode.Times(1000, 2000, 2000), stat("/b").times());
    failed(Failure.IsADirectory.class, run(cloneOf("/a", "/d", true)));
    failed(Failure.IsADirectory.class, run(cloneOf("/d", "/c", true)));
    failed(Failure.NotFound.class, run(cloneOf("/x", "/c", true)));
    failed(Failure.NotFound.class, run(cloneOf("/a", "/x/c", true)));
    done(cloneOf("/l", "/c", false));
    assertTrue(stat("/c", LinkPolicy.NO_FOLLOW).isFile());
    done(cloneOf("/a", "/l", true));
    assertTrue(stat("/l", LinkPolicy.NO_FOLLOW).isFile());
    FileInfo before = stat("/a");
    done(cloneOf("/a", "/a", false));
    assertEquals(before, stat("/a"));
  }

  @Test
  void clonesOfABatchHaveWhatTheirSourceHadThen() {
    put("/a", "old");
    MemoryTrees.Text text = new MemoryTrees.Text("new");
    done(
        cloneOf("/a", "/b", false),
        cloneOf("/b", "/c", false),
        new FileRequest.Put(path("/a"), new FileContent.Staged(text), PutOptions.DEFAULT),
        cloneOf("/a", "/d", false),
        cloneOf("/d", "/e", false),
        new FileRequest.Delete(path("/a")),
        cloneOf("/c", "/a", false));
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
        cloneOf("/a", "/b", false),
        new FileRequest.Put(path("/a"), new FileContent.Staged(text), PutOptions.DEFAULT),
        cloneOf("/b", "/a", true));
    assertEquals("a", read("/a"));
    assertEquals(1, stat("/a").sizeBytes());
    assertFalse(text.taken);
  }

  @Test
  void clonesThatAreCopiedOnInOneBatchComeInTheRightOrder() {
    put("/a", "a");
    put("/b", "b");
    put("/c", "c");
    done(cloneOf("/b", "/a", true), cloneOf("/c", "/b", true));
    assertEquals("b", read("/a"));
    assertEquals("c", read("/b"));
    failed(
        Failure.Invalid.class,
        run(cloneOf("/a", "/t", false), cloneOf("/b", "/a", true), cloneOf("/t", "/b", true)));
    assertEquals("b", read("/a"));
  }

  private static FileRequest cloneOf(String from, String to, boolean replace) {
    return new FileRequest.Clone(path(from), path(to), replace);
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
            new FileRequest.Rename(path("/d"), path("/e"), false),
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
    failed(Failure.NotFound.class, trees.query(Looks.property("p")));
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
    assertArrayEquals(new byte[] {1, 2}, value(trees.query(Looks.property("import.state"))));
    done(new FileRequest.RemoveProperty("import.state"));
    done(new FileRequest.RemoveProperty("import.state"));
    failed(Failure.NotFound.class, trees.query(Looks.property("import.state")));
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
    all.sort((a, b) -> Arrays.compareUnsigned(StorePath.encode(a), StorePath.encode(b)));
    for (int limit = 1; limit <= all.size() + 1; limit++) {
      List<String> listed = new ArrayList<>();
      Looks.Page page = value(trees.query(Looks.page(StorePath.ROOT, null, limit)));
      listed.addAll(page.names());
      while (page.nextAfter() != null) {
        page = value(trees.query(Looks.nextPage(page, limit)));
        listed.addAll(page.names());
      }
      assertEquals(all, listed);
    }
    Looks.Page after = value(trees.query(Looks.page(StorePath.ROOT, StorePath.encode("aa"), 2)));
    assertEquals("ab", after.names().getFirst());
    failed(Failure.NotADirectory.class, trees.query(Looks.page(path("/B"), null, 2)));
  }

  // ------------------------------------------------------------------ values

  @Test
  void entityTagsTellVersionsApart() {
    FileInfo one = put("/a", "x");
    FileInfo two = put("/a", "y");
    assertNotEquals(one.entityTag(), two.entityTag());
  }

  // ------------------------------------------------------------------ helpers

  private static StorePath path(String text) {
    return StorePath.of(text);
  }

  private Completion<BatchResult> run(FileRequest... requests) {
    return trees.change(new BatchPlanner(new FileBatch(now, List.of(requests))));
  }

  private void done(FileRequest... requests) {
    done(run(requests));
  }

  private static void done(Completion<?> completion) {
    if (completion instanceof Completion.Failed<?>(Failure failure)) {
      throw new AssertionError(failure.message());
    }
  }

  private static <T> T value(Completion<T> completion) {
    done(completion);
    return ((Completion.Done<T>) completion).value();
  }

  private static void failed(Class<? extends Failure> how, Completion<?> completion) {
    Completion.Failed<?> failed = assertInstanceOf(Completion.Failed.class, completion);
    assertInstanceOf(how, failed.failure());
  }

  private Completion<BatchResult> put(String path, String text, PutOptions options) {
    FileContent content = new FileContent.Staged(new MemoryTrees.Text(text));
    return run(new FileRequest.Put(path(path), content, options));
  }

  private FileInfo put(String path, String text) {
    return value(put(path, text, PutOptions.DEFAULT)).only();
  }

  private static FileRequest mkdir(String path, boolean parents) {
    return new FileRequest.CreateDirectory(path(path), parents, MetadataChange.NONE);
  }

  private void directory(String path) {
    done(mkdir(path, false));
  }

  private void link(String path, String target) {
    done(new FileRequest.SymbolicLink(path(path), target, MetadataChange.NONE));
  }

  private Completion<BatchResult> rename(String from, String to, boolean replace) {
    return run(new FileRequest.Rename(path(from), path(to), replace));
  }

  private static FileRequest rename2(String from, String to) {
    return new FileRequest.Rename(path(from), path(to), true);
  }

  private FileInfo stat(String path) {
    return stat(path, LinkPolicy.FOLLOW);
  }

  private FileInfo stat(String path, LinkPolicy links) {
    return value(trees.query(Looks.stat(path(path), links)));
  }

  private String read(String path) {
    return trees.content(stat(path).id());
  }

  private List<String> names(String directory) {
    Looks.Page page = value(trees.query(Looks.page(path(directory), null, 1000)));
    assertNull(page.nextAfter());
    return page.names();
  }

  private int reclaimAll(int limit) {
    long directory = 0;
    for (int steps = 1; ; steps++) {
      ReclaimStep.Progress progress = value(trees.change(new ReclaimStep(directory, limit, now)));
      directory = progress.directory();
      if (!progress.more()) {
        return steps;
      }
    }
  }
}
