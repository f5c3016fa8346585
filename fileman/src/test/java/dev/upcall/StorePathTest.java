package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorePathTest {
  @Test
  void namesAreKeptAsTheyAre() {
    assertEquals(
        List.of("a", "B c", "\u00e4", "a\u0308"), StorePath.of("/a/B c/\u00e4/a\u0308").names());
    assertEquals(List.of("a", "b"), StorePath.of("//a///b/").names());
    assertTrue(StorePath.of("/").isRoot());
    assertEquals("/", StorePath.ROOT.toString());
    assertEquals("/a/b", StorePath.of("/a/b/").toString());
    assertEquals(StorePath.of("/a"), StorePath.of("/a/b").parent());
    assertEquals(StorePath.of("/a/b"), StorePath.of("/a").child("b"));
    assertTrue(StorePath.of("/a").contains(StorePath.of("/a/b")));
    assertEquals(1, StorePath.of("/" + "x".repeat(255)).names().size());
  }

  @Test
  void aPathIsItsText() {
    StorePath path = StorePath.of("//a///b/");
    assertEquals("/a/b", path.toString());
    assertEquals("/a", path.parent().toString());
    assertEquals("/", path.parent().parent().toString());
    assertEquals("/a/b/c", path.child("c").toString());
    assertEquals("/c", StorePath.ROOT.child("c").toString());
    assertEquals("at /a/b", new StringBuilder("at ").append(path).toString());
    assertEquals("b", path.subSequence(3, 4));
    assertEquals(Completion.done(path), StorePath.parse(path));
    assertEquals(Completion.done(path), StorePath.parse(new StringBuilder("/a/b")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a", "./a", "/.", "/..", "/a/../b", "/a/./b", "/a\0b", "/\ud800", "/\udc00x"})
  void badPathsAreInvalid(String path) {
    assertInstanceOf(Completion.Failed.class, StorePath.parse(path));
  }

  @Test
  void lengthsAreBytes() {
    assertInstanceOf(Completion.Failed.class, StorePath.parse("/" + "x".repeat(256)));
    assertInstanceOf(Completion.Failed.class, StorePath.parse("/" + "\u00e4".repeat(128)));
    assertInstanceOf(Completion.Done.class, StorePath.parse("/" + "\u00e4".repeat(127)));
    assertInstanceOf(Completion.Failed.class, StorePath.parse("/x".repeat(1001)));
    assertThrows(IllegalArgumentException.class, () -> StorePath.ROOT.child("a/b"));
  }
}
