package dev.upcall.fileman.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.BatchResult;
import dev.upcall.Existence;
import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.request.FileRequest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Paths that begin at a directory's id, on trees in memory. */
class AnchoredPathTest extends PlannerFixture {
  private long home;

  @BeforeEach
  void furnish() {
    directory("/top");
    directory("/top/home");
    directory("/top/home/sub");
    put("/top/home/f", "text");
    home = stat("/top/home").id();
  }

  private static StorePath in(long directory, String relative) {
    return UpcallException.value(StorePath.parse(directory, relative));
  }

  private Completion<FileInfo> look(String relative) {
    return trees.query(Looks.stat(in(home, relative), LinkPolicy.NO_FOLLOW));
  }

  private Completion<BatchResult> delete(String relative) {
    return run(new FileRequest.Delete(in(home, relative)));
  }

  @Test
  void theDirectoryIsTheSameWhereverItIs() {
    assertEquals(stat("/top/home/f").id(), value(look("f")).id());
    done(rename2("/top/home", "/elsewhere"));
    link("/top/home", "/");
    assertEquals(stat("/elsewhere/f").id(), value(look("f")).id());
    assertEquals(home, value(look("")).id());
    assertEquals(home, value(look("sub/..")).id());
    assertEquals(FileManager.ROOT_ID, value(look("..")).id());
    done(
        run(
            new FileRequest.Rename(in(home, "f"), in(home, "sub/g"), Existence.MUST_NOT_EXIST),
            mkdirIn("made")));
    assertEquals(List.of("made", "sub"), names("/elsewhere"));
    assertEquals("text", read("/elsewhere/sub/g"));
    done(delete("sub/g"));
    assertEquals(List.of(), names("/elsewhere/sub"));
  }

  private FileRequest mkdirIn(String relative) {
    return new FileRequest.CreateDirectory(in(home, relative));
  }

  @Test
  void linksLeadOnFromThere() {
    link("/top/home/link", "sub");
    link("/top/home/absolute", "/top");
    put("/top/home/sub/x", "below");
    done(rename2("/top/home", "/h"));
    assertEquals(stat("/h/sub/x").id(), value(look("link/x")).id());
    failed(Failure.NotFound.class, look("absolute/home"));
    failed(Failure.NotADirectory.class, look("f/x"));
    failed(Failure.NotFound.class, look("missing/.."));
  }

  @Test
  void nothingIsFoundFromADeletedDirectory() {
    done(
        new FileRequest.Delete(path("/top/home/f")), new FileRequest.Delete(path("/top/home/sub")));
    done(new FileRequest.Delete(path("/top/home")));
    Failure.NotFound failure =
        assertInstanceOf(
            Failure.NotFound.class, assertInstanceOf(Completion.Failed.class, look("f")).failure());
    assertEquals("#%d/f (directory %d was deleted)".formatted(home, home), failure.what());
    failed(Failure.NotFound.class, look(""));
    failed(Failure.NotFound.class, look(".."));
    failed(Failure.NotFound.class, run(mkdirIn("x")));
  }

  /**
   * What is below a tree that was deleted is taken apart later: nobody may bring anything there.
   */
  @Test
  void nothingIsFoundBelowADeletedTree() {
    done(new FileRequest.DeleteTree(path("/top")));
    failed(Failure.NotFound.class, look("f"));
    failed(Failure.NotFound.class, run(mkdirIn("x")));
    put("/kept", "kept");
    failed(
        Failure.NotFound.class,
        run(new FileRequest.Rename(path("/kept"), in(home, "kept"), Existence.ANY)));
    failed(
        Failure.NotFound.class,
        run(new FileRequest.Rename(in(home, "f"), path("/f"), Existence.ANY)));
    int unused = reclaimAll(1);
    failed(Failure.NotFound.class, look("f"));
    assertEquals(2, trees.inodeCount(), "the root and what was kept");
  }

  @Test
  void aBatchSeesWhatItHasDoneItself() {
    failed(Failure.NotFound.class, run(new FileRequest.DeleteTree(path("/top")), mkdirIn("x")));
    done(run(rename2("/top/home", "/moved"), mkdirIn("x")));
    assertTrue(stat("/moved/x").isDirectory());
  }

  @Test
  void aDirectoryCannotGoBelowItself() {
    failed(
        Failure.Invalid.class,
        run(new FileRequest.Rename(path("/top"), in(home, "sub/top"), Existence.ANY)));
    failed(
        Failure.Invalid.class,
        run(new FileRequest.Rename(path("/top/home"), in(home, "x"), Existence.ANY)));
  }

  @Test
  void onlyANameCanBeTakenAway() {
    failed(Failure.Invalid.class, delete(""));
    failed(Failure.Invalid.class, delete("."));
    failed(Failure.Invalid.class, delete("sub/.."));
    failed(
        Failure.Invalid.class,
        run(new FileRequest.Rename(in(home, ""), path("/x"), Existence.ANY)));
    assertEquals(List.of("f", "sub"), names("/top/home"));
  }

  @Test
  void itBeginsAtADirectory() {
    long file = stat("/top/home/f").id();
    failed(Failure.NotADirectory.class, trees.query(Looks.stat(in(file, "x"), LinkPolicy.FOLLOW)));
    failed(Failure.NotFound.class, trees.query(Looks.stat(in(987_654, "x"), LinkPolicy.FOLLOW)));
  }

  @Test
  void theyAreParsedAndCompared() {
    StorePath path = in(42, "a//b/");
    assertEquals("#42/a/b", path.toString());
    assertEquals(42, path.directoryId());
    assertEquals(List.of("a", "b"), path.names());
    assertEquals(in(42, "a"), path.parent());
    assertEquals(in(42, "").toString(), path.parent().parent().toString());
    assertEquals(in(42, ""), in(42, "").parent());
    assertEquals("#42/a/b/c", path.child("c").toString());
    assertFalse(in(42, "").isRoot());
    assertNotEquals(in(43, "a/b"), path);
    assertNotEquals(StorePath.of("/a/b"), path);
    assertFalse(StorePath.of("/a").contains(path));
    assertTrue(in(42, "a").contains(path));
    assertEquals(StorePath.of("/a/b"), in(FileManager.ROOT_ID, "a/b"));
    assertEquals("/a/b", in(FileManager.ROOT_ID, "a/b").toString());
    assertSame(StorePath.ROOT, in(FileManager.ROOT_ID, ""));
    failed(Failure.Invalid.class, StorePath.parse(42, "/a"));
    failed(Failure.Invalid.class, StorePath.parse(42, "a/\0"));
    failed(Failure.Invalid.class, StorePath.parse(42, "n".repeat(256)));
    failed(Failure.Invalid.class, StorePath.parse(path.toString()));
  }
}
