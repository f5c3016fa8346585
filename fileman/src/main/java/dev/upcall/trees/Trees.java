package dev.upcall.trees;

import dev.upcall.AsyncReads;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.trees.TreeMatch;
import dev.upcall.fileman.trees.TreeTasks;
import dev.upcall.fileman.trees.TreeWalks;
import dev.upcall.stage.StageReads;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What is done to whole trees of a store: walks, patterns, copies, clones, imports and exports. (To
 * delete one is a request as others, done at once: {@link dev.upcall.UpcallChanges#deleteTree}.)
 *
 * <p><b>Walks</b> go through a directory in the order of {@link dev.upcall.Listing}, depth first,
 * the start included. They ask for a page of a directory when it is needed, hold at most {@link
 * #MAX_HELD_ENTRIES} entries however large and deep the tree is, and nothing open. A store that
 * changes meanwhile is seen as listings see it, a directory that is gone when its turn comes as an
 * empty one; walk a snapshot to see one moment. A start that is not there is {@code NotFound}.
 *
 * <pre>{@code
 * Trees.glob(store, "/src", "**.java").forEach(file -> System.out.println(file.path()));
 * }</pre>
 *
 * <p><b>Tasks</b> ({@link TreeTask}) change many files, not as one: what somebody reads meanwhile
 * is a part of it. What cannot be carried is a problem, which {@link TreeWatch} hears of.
 *
 * <pre>{@code
 * try (UpcallSnapshot then = store.snapshot()) {
 *   TreeSummary done = Trees.exporting(then, ExportOptions.of(StorePath.ROOT, folder)).run();
 *   done.problems().forEach(System.out::println);
 * }
 * }</pre>
 *
 * <p>All may be called from any thread but the store's own, the walk by a port excepted.
 */
public final class Trees {
  /** The most entries that a walk holds. */
  public static final int MAX_HELD_ENTRIES = TreeWalks.MAX_HELD_ENTRIES;

  /** Files and links that a copy reads at once. */
  public static final int COPY_READERS = TreeTasks.COPY_READERS;

  private Trees() {}

  // ------------------------------------------------------------------ walks

  /** All of a tree, the directory itself first. */
  public static Stream<TreeEntry> walk(UpcallReads files, CharSequence directory) {
    return walk(files, directory, WalkOptions.DEFAULT);
  }

  /** A tree as a stream, which need not be closed. */
  public static Stream<TreeEntry> walk(
      UpcallReads files, CharSequence directory, WalkOptions options) {
    return TreeWalks.stream(iterator(files, directory, options));
  }

  /** A tree entry by entry, for as long as somebody asks; one thread at a time. */
  public static Iterator<TreeEntry> iterator(
      UpcallReads files, CharSequence directory, WalkOptions options) {
    return TreeWalks.iterator(
        Objects.requireNonNull(files, "files"),
        parsed(directory),
        Objects.requireNonNull(options, "options"));
  }

  /**
   * Walks a tree by stages: the function is called for each entry when the stage that it answered
   * for the one before has completed. Gives how many entries there were. What fails, or the
   * function throws, ends the walk; so does cancelling the stage.
   *
   * <pre>{@code
   * Trees.walk(files, "/mail", WalkOptions.DEFAULT,
   *     entry -> entry.info().isFile() ? index(entry.path()) : CompletableFuture.completedStage(null));
   * }</pre>
   */
  public static CompletionStage<Long> walk(
      StageReads files,
      CharSequence directory,
      WalkOptions options,
      Function<? super TreeEntry, ? extends CompletionStage<?>> visit) {
    return TreeWalks.stage(
        Objects.requireNonNull(files, "files"),
        parsed(directory),
        Objects.requireNonNull(options, "options"),
        Objects.requireNonNull(visit, "visit"));
  }

  /**
   * Walks a tree by completions, where those of these files come: the predicate is called for each
   * entry, and ends the walk when it says no. Gives how many entries it was called for.
   */
  public static void walk(
      AsyncReads files,
      CharSequence directory,
      WalkOptions options,
      Predicate<? super TreeEntry> visit,
      CompletionPort<Long> port) {
    TreeWalks.port(
        Objects.requireNonNull(files, "files"),
        parsed(directory),
        Objects.requireNonNull(options, "options"),
        Objects.requireNonNull(visit, "visit"),
        Objects.requireNonNull(port, "port"));
  }

  /**
   * The entries below a directory that a pattern matches, as {@link #matching} has it. Without
   * {@code **} in the pattern nothing is looked at that is deeper than the pattern.
   */
  public static Stream<TreeEntry> glob(UpcallReads files, CharSequence directory, String pattern) {
    Objects.requireNonNull(pattern, "pattern");
    Predicate<TreeEntry> matches = matching("glob:" + pattern);
    WalkOptions depth = WalkOptions.DEFAULT.withMaxDepth(TreeMatch.maxDepth(pattern));
    return walk(files, directory, depth).filter(matches);
  }

  /**
   * Whether an entry's path below the start ({@link TreeEntry#relative}) matches a pattern as
   * {@link java.nio.file.FileSystem#getPathMatcher} describes them: {@code glob:} or {@code regex:}
   * and the pattern. The start itself matches none.
   *
   * @throws IllegalArgumentException when it has not that form, or the pattern is none
   * @throws UnsupportedOperationException when it is of another syntax
   */
  public static Predicate<TreeEntry> matching(String syntaxAndPattern) {
    return TreeMatch.of(Objects.requireNonNull(syntaxAndPattern, "syntaxAndPattern"));
  }

  // ------------------------------------------------------------------ tasks

  /** As {@link #copying(UpcallReads, Upcall, CopyOptions, TreeWatch)}, and nobody looks. */
  public static TreeTask copying(UpcallReads from, Upcall to, CopyOptions options) {
    return copying(from, to, options, TreeWatch.none());
  }

  /**
   * Copies a tree byte by byte, also from a snapshot or another store: contents, symbolic links,
   * modes, owners, times of change and attributes. An expiry is not taken along. Everything is
   * durable when it returns. A tree cannot be copied into itself ({@code Invalid}).
   */
  public static TreeTask copying(
      UpcallReads from, Upcall to, CopyOptions options, TreeWatch watch) {
    return TreeTasks.copying(
        Objects.requireNonNull(from, "from"),
        Objects.requireNonNull(to, "to"),
        Objects.requireNonNull(options, "options"),
        Objects.requireNonNull(watch, "watch"));
  }

  /** As {@link #cloning(Upcall, CopyOptions, TreeWatch)}, and nobody looks. */
  public static TreeTask cloning(Upcall store, CopyOptions options) {
    return cloning(store, options, TreeWatch.none());
  }

  /**
   * As {@link #copying(UpcallReads, Upcall, CopyOptions, TreeWatch)} inside one store, where each
   * file shares its blocks with the one that it is a clone of ({@link
   * dev.upcall.request.FileRequest.Clone}): the sizes of files do not matter.
   */
  public static TreeTask cloning(Upcall store, CopyOptions options, TreeWatch watch) {
    return TreeTasks.cloning(
        Objects.requireNonNull(store, "store"),
        Objects.requireNonNull(options, "options"),
        Objects.requireNonNull(watch, "watch"));
  }

  /**
   * A page of a directory, as {@link UpcallReads#list}, also where something on the volume cannot
   * be read: then each of the page's names is looked at alone, and the entries of which something
   * is left are there. So a page may have fewer entries than names; go on behind {@link
   * Listing#nextAfter}.
   *
   * @param damaged hears of each entry that is left out: its path, and why it cannot be read
   * @throws UpcallException as {@code list}; {@code Corrupt} and {@code Device} only where the
   *     names themselves cannot be read
   */
  public static Listing list(
      UpcallReads files,
      CharSequence directory,
      String after,
      int limit,
      BiConsumer<StorePath, Failure> damaged) {
    Objects.requireNonNull(files, "files");
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(after, "after");
    Objects.requireNonNull(damaged, "damaged");
    return TreeTasks.list(
        files,
        directory.toString(),
        after,
        limit,
        (path, why) -> damaged.accept(StorePath.of(path), why));
  }

  /**
   * Stores the files below a directory anew, or one file, that are not stored as they say:
   * compressed, or no more. They are told by their sizes: one that is to be compressed and takes no
   * less than its size, and one with the choice {@code NONE} that takes less; files of at most 64
   * KiB are left alone. One after the other is replaced by itself in one commit, with its id, its
   * time and all else but its version; who has it open reads on. A file that somebody changes
   * meanwhile stays as he has left it, among {@link TreeSummary#keptChanged}. Where the volume has
   * no room for a file once more, the task ends with {@code VolumeFull}; those before it are done,
   * and another task goes on there. Engines of threads do not compress: with them the task fails
   * with {@code Unsupported}, before anything is done, where a file is to be compressed.
   *
   * @param directory where it begins; or a file. A link is followed there, and none below
   * @param pace of the content that is read
   */
  public static TreeTask rewriting(
      Upcall store, CharSequence directory, Pace pace, TreeWatch watch) {
    return TreeTasks.rewriting(
        Objects.requireNonNull(store, "store"),
        parsed(directory),
        Objects.requireNonNull(pace, "pace"),
        Objects.requireNonNull(watch, "watch"));
  }

  /** As {@link #importing(Upcall, ImportOptions, TreeWatch)}, and nobody looks. */
  public static TreeTask importing(Upcall store, ImportOptions options) {
    return importing(store, options, TreeWatch.none());
  }

  /**
   * Imports a directory of the host, or brings the store up to date with it.
   *
   * <p>An entry is up to date when size and time of change agree (for a link its target too). Files
   * that somebody changed in the store while the source stayed as it was are left alone, and
   * listed. The state is in the store, committed with each file: an import that was killed goes on
   * where it was by being run again. Names, symbolic links (never followed), times, modes and
   * owners are kept; what cannot be kept is reported, a file that was written to each time it was
   * read included. Everything is durable when it returns.
   *
   * <p>It has a few threads of its own, which read the host's files.
   */
  public static TreeTask importing(Upcall store, ImportOptions options, TreeWatch watch) {
    return TreeTasks.importing(
        Objects.requireNonNull(store, "store"),
        Objects.requireNonNull(options, "options"),
        Objects.requireNonNull(watch, "watch"));
  }

  /** As {@link #exporting(UpcallReads, ExportOptions, TreeWatch)}, and nobody looks. */
  public static TreeTask exporting(UpcallReads files, ExportOptions options) {
    return exporting(files, options, TreeWatch.none());
  }

  /**
   * Exports a tree into a directory of the host: content, symbolic links as they are, times and
   * modes; an expiry as the attribute {@code user.upcall.expires}. Nothing is ever written outside
   * the target: a symbolic link that stands there is never followed. The host is not asked to make
   * it durable.
   *
   * <p>Nobody but its owner can read a file until its own mode is set. A process of root gives what
   * it makes its owner and group; set-user-ID and set-group-ID are kept only where both are. The
   * volume of a store is never written over; that of a snapshot is to be named ({@link
   * ExportOptions#withExcluded}).
   *
   * <p>It has a few threads of its own, which write the host's files.
   */
  public static TreeTask exporting(UpcallReads files, ExportOptions options, TreeWatch watch) {
    return TreeTasks.exporting(
        Objects.requireNonNull(files, "files"),
        Objects.requireNonNull(options, "options"),
        Objects.requireNonNull(watch, "watch"));
  }

  private static StorePath parsed(CharSequence directory) {
    return UpcallException.value(StorePath.parse(Objects.requireNonNull(directory, "directory")));
  }
}
