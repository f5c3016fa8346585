package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.request.FileRequest;
import dev.upcall.trees.CopyOptions;
import dev.upcall.trees.ExportOptions;
import dev.upcall.trees.ImportOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Requests and options of tasks, made with paths as text. */
class FileRequestTest {
  private static final FileContent NOTHING = new FileContent.Bytes(new byte[0]);
  private static final StorePath A = StorePath.of("/a");
  private static final StorePath B = StorePath.of("/b");

  @Test
  void request_byTextAndByPath_isTheSame() {
    FileCondition any = FileCondition.NONE;
    MetadataChange none = MetadataChange.NONE;
    PutOptions usual = PutOptions.DEFAULT;
    byte[] bytes = {};
    FileRequest.Placing insert = FileRequest.Placing.INSERT;
    FileRequest.Range range = FileRequest.Range.all("/a");
    assertEquals(FileRequest.Range.all(A), range);
    assertEquals(new FileRequest.Range(A, 1, 2), new FileRequest.Range("/a", 1, 2));
    assertEquals(new FileRequest.Put(A, NOTHING, usual), new FileRequest.Put("/a", NOTHING));
    assertEquals(new FileRequest.Put(A, NOTHING, usual), new FileRequest.Put("/a", NOTHING, usual));
    assertEquals(
        new FileRequest.CreateDirectory(A, Parents.MUST_EXIST, none),
        new FileRequest.CreateDirectory("/a"));
    assertEquals(
        new FileRequest.CreateDirectory(A, Parents.MAKE, none),
        new FileRequest.CreateDirectory("/a", Parents.MAKE, none));
    assertEquals(
        new FileRequest.SymbolicLink(A, "b", none), new FileRequest.SymbolicLink("/a", "b"));
    assertEquals(new FileRequest.Delete(A, any), new FileRequest.Delete("/a"));
    assertEquals(new FileRequest.Delete(A, any), new FileRequest.Delete("/a", any));
    assertEquals(new FileRequest.DeleteTree(A, any), new FileRequest.DeleteTree("/a"));
    assertEquals(new FileRequest.DeleteTree(A, any), new FileRequest.DeleteTree("/a", any));
    assertEquals(new FileRequest.Rename(A, B, any), new FileRequest.Rename("/a", B, any));
    assertEquals(new FileRequest.Rename(A, B, any), new FileRequest.Rename(A, "/b", Existence.ANY));
    assertEquals(new FileRequest.Clone(A, B, any), new FileRequest.Clone("/a", "/b", any));
    assertEquals(
        new FileRequest.Clone(A, B, any), new FileRequest.Clone("/a", "/b", Existence.ANY));
    assertEquals(
        new FileRequest.Splice(A, 0, 1, bytes, any), new FileRequest.Splice("/a", 0, 1, bytes));
    assertEquals(
        new FileRequest.CopyRange(range, B, 3, insert, any),
        new FileRequest.CopyRange(range, "/b", 3, insert));
    assertEquals(
        new FileRequest.SetMetadata(A, LinkPolicy.FOLLOW, none, any),
        new FileRequest.SetMetadata("/a", LinkPolicy.FOLLOW, none));
  }

  @Test
  void request_byAPath_keepsIt() {
    assertSame(A, new FileRequest.Delete(A).path());
    assertSame(A, new FileRequest.Rename(A, "/b", Existence.ANY).from());
  }

  @Test
  void request_byTextThatIsNoPath_isInvalidAtOnce() {
    List<Executable> wrong =
        List.of(
            () -> new FileRequest.Delete("no slash"),
            () -> new FileRequest.Put("/a/../b", NOTHING),
            () -> new FileRequest.Rename("/a", "b", Existence.ANY),
            () -> new FileRequest.SymbolicLink("", "/a"),
            () -> new FileRequest.CreateDirectory("/" + "n".repeat(256)),
            () -> FileRequest.Range.all("/a\0"),
            () -> ExportOptions.of("a", Path.of("target")),
            () -> ImportOptions.of(Path.of("source"), "a"),
            () -> CopyOptions.of("/a", "b"));
    for (Executable one : wrong) {
      assertThrows(UpcallException.Invalid.class, one);
    }
  }

  @Test
  void options_byTextAndByPath_areTheSame() {
    assertEquals(CopyOptions.of(A, B), CopyOptions.of("/a", "/b"));
    assertEquals(ExportOptions.of(A, Path.of("t")), ExportOptions.of("/a", Path.of("t")));
    assertEquals(ImportOptions.of(Path.of("s"), A), ImportOptions.of(Path.of("s"), "/a"));
  }
}
