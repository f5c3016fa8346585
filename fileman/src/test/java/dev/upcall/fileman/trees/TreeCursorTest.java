package dev.upcall.fileman.trees;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileInfo;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.content.Kind;
import dev.upcall.content.Times;
import dev.upcall.fileman.trees.TreeCursor.Step;
import dev.upcall.trees.WalkOptions;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The place of a walk in a tree that is larger than what it may hold. */
class TreeCursorTest {
  private static final int WIDTH = 700;
  private static final int DEPTH = 40;

  /** 40 levels of 700 directories each, of which only the middle one has any. */
  @Test
  void howeverDeepAndWideLittleIsHeldAndNothingForgotten() {
    TreeCursor cursor = new TreeCursor(StorePath.ROOT, WalkOptions.DEFAULT);
    long found = 0;
    int mostHeld = 0;
    long pages = 0;
    String last = "";
    while (true) {
      switch (cursor.next()) {
        case Step.Look _ -> cursor.looked(Completion.done(directory("")));
        case Step.List(var path, var after) -> {
          pages++;
          cursor.listed(Completion.done(page(path, after)));
          mostHeld = Math.max(mostHeld, cursor.heldEntries());
        }
        case Step.Found(var entry) -> {
          found++;
          last = entry.path().toString();
        }
        case Step.End _ -> {
          assertEquals(1 + (long) DEPTH * WIDTH, found);
          assertEquals("/" + name(WIDTH - 1), last);
          assertTrue(mostHeld <= TreeWalks.MAX_HELD_ENTRIES, "held " + mostHeld);
          assertTrue(mostHeld > TreeWalks.MAX_HELD_ENTRIES / 2, "held only " + mostHeld);
          // Each level is listed in two pages, those further out once more; the empty ones once.
          long emptyOnes = found - DEPTH;
          assertTrue(pages - emptyOnes <= 3L * DEPTH, (pages - emptyOnes) + " pages");
          return;
        }
      }
    }
  }

  private static Listing page(StorePath directory, String after) {
    List<String> names = directory.names();
    boolean empty =
        names.size() >= DEPTH || names.stream().anyMatch(name -> !name.equals(name(WIDTH / 2)));
    int from = after.isEmpty() ? 0 : Integer.parseInt(after) + 1;
    int to = empty ? from : Math.min(WIDTH, from + TreeWalks.PAGE_ENTRIES);
    List<FileInfo> entries = IntStream.range(from, to).mapToObj(i -> directory(name(i))).toList();
    return new Listing(
        directory("d"),
        entries,
        empty || to == WIDTH ? Optional.empty() : Optional.of(name(to - 1)));
  }

  private static String name(int number) {
    return "%03d".formatted(number);
  }

  private static FileInfo directory(String name) {
    return new FileInfo(
        1,
        name,
        Kind.DIRECTORY,
        0,
        new Times(0, 0, 0),
        0755,
        0,
        1,
        1,
        "",
        Collections.emptySortedMap(),
        FileInfo.Stored.NONE);
  }
}
