package dev.upcall.fileman.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileManager;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.PutOptions;
import dev.upcall.completion.Failure;
import dev.upcall.request.FileRequest;
import org.junit.jupiter.api.Test;

/** What symbolic links lead to, on trees in memory. */
class PlannerLinkTest extends PlannerFixture {
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
}
