package dev.upcall.fileman.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Existence;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.PutOptions;
import dev.upcall.completion.Failure;
import dev.upcall.request.FileRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What deleting and renaming do to names, on trees in memory. */
class PlannerMoveTest extends PlannerFixture {
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
    done(new FileRequest.Rename(path("/a/b"), path("/z/c"), Existence.MUST_NOT_EXIST));
    assertEquals(id, stat("/z/c").id());
    assertEquals("x", read("/z/c/f"));
    assertEquals(List.of(), names("/a"));
    link("/z/c/up", "..");
    assertEquals(stat("/z").id(), stat("/z/c/up").id());
  }

  @Test
  void renameChecksForCycles() {
    done(mkdir("/a/b/c", true));
    failed(Failure.Invalid.class, rename("/a", "/a/x", Existence.MUST_NOT_EXIST));
    failed(Failure.Invalid.class, rename("/a", "/a/b/c/x", Existence.ANY));
    failed(Failure.Invalid.class, rename("/a", "/a/b/c", Existence.ANY));
    failed(Failure.Invalid.class, rename("/", "/x", Existence.ANY));
    link("/l", "a/b");
    failed(Failure.Invalid.class, rename("/a", "/l/x", Existence.ANY));
    done(rename("/a/b", "/b", Existence.MUST_NOT_EXIST));
    done(rename("/a", "/b/c/a", Existence.MUST_NOT_EXIST));
  }

  @Test
  void renameObeysReplace() {
    put("/a", "a");
    put("/b", "b");
    failed(Failure.AlreadyExists.class, rename("/a", "/b", Existence.MUST_NOT_EXIST));
    done(rename("/a", "/b", Existence.ANY));
    assertEquals("a", read("/b"));
    assertEquals(2, trees.inodeCount());
    directory("/d");
    directory("/e");
    put("/e/f", "x");
    failed(Failure.IsADirectory.class, rename("/b", "/d", Existence.ANY));
    failed(Failure.NotADirectory.class, rename("/d", "/b", Existence.ANY));
    failed(Failure.DirectoryNotEmpty.class, rename("/d", "/e", Existence.ANY));
    failed(Failure.DirectoryNotEmpty.class, rename("/d", "/", Existence.ANY));
    done(rename("/e", "/d", Existence.ANY));
    assertEquals("x", read("/d/f"));
    failed(Failure.NotFound.class, rename("/e", "/x", Existence.ANY));
    failed(Failure.NotFound.class, rename("/b", "/x/y", Existence.ANY));
  }

  @Test
  void renameOntoItselfDoesNothing() {
    FileInfo before = put("/a", "a");
    done(rename("/a", "/a", Existence.MUST_NOT_EXIST));
    assertEquals(before.version(), stat("/a").version());
    link("/l", "a");
    done(rename("/l", "/m", Existence.MUST_NOT_EXIST));
    assertTrue(stat("/m", LinkPolicy.NO_FOLLOW).isSymbolicLink());
  }
}
