package dev.upcall.fileman.trees;

import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.completion.Completion;
import dev.upcall.fileman.trees.TreeCursor.Step;
import dev.upcall.trees.TreeEntry;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A walk by calls that wait. */
final class TreeIterator implements Iterator<TreeEntry> {
  private final Lister lister;
  private final UpcallReads files;
  private final TreeCursor cursor;
  private @Nullable TreeEntry ahead;

  /** Lists a page of a directory. */
  interface Lister {
    Listing list(StorePath directory, String after, int limit);
  }

  TreeIterator(Lister lister, UpcallReads files, TreeCursor cursor) {
    this.lister = lister;
    this.files = files;
    this.cursor = cursor;
  }

  @Override
  public boolean hasNext() {
    if (ahead == null) {
      ahead = find();
    }
    return ahead != null;
  }

  @Override
  public TreeEntry next() {
    if (!hasNext() || ahead == null) {
      throw new NoSuchElementException("the walk has ended");
    }
    TreeEntry entry = ahead;
    ahead = null;
    return entry;
  }

  private @Nullable TreeEntry find() {
    while (true) {
      switch (cursor.next()) {
        case Step.Found(var entry) -> {
          return entry;
        }
        case Step.List(var directory, var after) ->
            cursor.listed(answer(() -> lister.list(directory, after, TreeWalks.PAGE_ENTRIES)));
        case Step.Look(var path, var links) -> cursor.looked(answer(() -> files.stat(path, links)));
        case Step.End _ -> {
          return null;
        }
      }
    }
  }

  private static <T> Completion<T> answer(Supplier<T> call) {
    try {
      return Completion.done(call.get());
    } catch (UpcallException failed) {
      return Completion.failed(failed.failure());
    }
  }
}
