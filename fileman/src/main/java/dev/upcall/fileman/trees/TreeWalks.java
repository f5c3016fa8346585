package dev.upcall.fileman.trees;

import dev.upcall.AsyncReads;
import dev.upcall.StorePath;
import dev.upcall.UpcallReads;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.stage.StageReads;
import dev.upcall.trees.TreeEntry;
import dev.upcall.trees.WalkOptions;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Walks at each door. */
public final class TreeWalks {
  /** Entries that are asked for together. */
  static final int PAGE_ENTRIES = 512;

  /** The most entries that a walk holds. */
  public static final int MAX_HELD_ENTRIES = TreeCursor.KEPT_PAGES * PAGE_ENTRIES;

  private TreeWalks() {}

  /** By calls that wait. */
  public static Iterator<TreeEntry> iterator(
      UpcallReads files, StorePath directory, WalkOptions options) {
    return new TreeIterator(files::list, files, new TreeCursor(directory, options));
  }

  /**
   * By calls that wait, of what can be read.
   *
   * @param told hears of each entry of which nothing can be read, and of each directory whose
   *     entries cannot be listed; they are left out
   */
  static Iterator<TreeEntry> readable(
      UpcallReads files,
      StorePath directory,
      WalkOptions options,
      BiConsumer<String, Failure> told) {
    return new TreeIterator(
        (of, after, limit) -> Damage.list(files, of.toString(), after, limit, told),
        files,
        new TreeCursor(directory, options, (path, why) -> told.accept(path.toString(), why)));
  }

  /** What an iterator gives. */
  public static Stream<TreeEntry> stream(Iterator<TreeEntry> entries) {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(entries, Spliterator.ORDERED | Spliterator.NONNULL),
        /* parallel= */ false);
  }

  /** By stages. */
  public static CompletionStage<Long> stage(
      StageReads files,
      StorePath directory,
      WalkOptions options,
      Function<? super TreeEntry, ? extends CompletionStage<?>> visit) {
    return new StageWalk(files, new TreeCursor(directory, options), visit).start();
  }

  /** By completions. */
  public static void port(
      AsyncReads files,
      StorePath directory,
      WalkOptions options,
      Predicate<? super TreeEntry> visit,
      CompletionPort<Long> port) {
    new PortWalk(files, new TreeCursor(directory, options), visit, port).goOn();
  }
}
