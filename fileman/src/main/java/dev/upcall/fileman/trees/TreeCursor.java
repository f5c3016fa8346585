package dev.upcall.fileman.trees;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.trees.TreeEntry;
import dev.upcall.trees.WalkOptions;
import dev.upcall.trees.WalkOptions.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a walk is. Does no I/O: {@link #next} says what it needs, whoever drives it asks for that,
 * tells the answer, and calls again. One thread at a time.
 *
 * <p>Only the innermost directories keep what they have listed; one further out is listed again
 * from behind the entry at which it was left.
 */
final class TreeCursor {
  /** Directories that keep a page. */
  static final int KEPT_PAGES = 16;

  /** What comes next. */
  sealed interface Step {
    /** An entry. */
    record Found(TreeEntry entry) implements Step {}

    /** A page of a directory is needed: tell it by {@link TreeCursor#listed}. */
    record List(StorePath directory, String after) implements Step {}

    /** What a path names is needed: tell it by {@link TreeCursor#looked}. */
    record Look(StorePath path, LinkPolicy links) implements Step {}

    /** There are no more. */
    record End() implements Step {}
  }

  private static final Step END = new Step.End();

  private final StorePath start;
  private final WalkOptions options;
  private final BiConsumer<StorePath, Failure> unlisted;
  private final List<Frame> frames = new ArrayList<>();

  /** Whether the start was looked at. */
  private boolean begun;

  /** A link whose target is to be looked at. */
  private @Nullable TreeEntry link;

  /** An entry that was looked at and not given yet. */
  private @Nullable TreeEntry ready;

  /** A walk that ends where something cannot be read. */
  TreeCursor(StorePath start, WalkOptions options) {
    this(
        start,
        options,
        (directory, failure) -> {
          throw UpcallException.of(failure);
        });
  }

  /**
   * A walk.
   *
   * @param unlisted hears of a directory whose entries, or the rest of them, cannot be read; the
   *     walk goes on without them, unless this throws
   */
  TreeCursor(StorePath start, WalkOptions options, BiConsumer<StorePath, Failure> unlisted) {
    this.start = start;
    this.options = options;
    this.unlisted = unlisted;
  }

  /** What comes next; the same again until what it needs was told. */
  Step next() {
    if (!begun) {
      return new Step.Look(start, options.links());
    }
    while (true) {
      TreeEntry found = ready;
      if (found != null) {
        ready = null;
        return new Step.Found(found);
      }
      TreeEntry followed = link;
      if (followed != null) {
        return new Step.Look(followed.path(), LinkPolicy.FOLLOW);
      }
      if (frames.isEmpty()) {
        return END;
      }
      Frame innermost = frames.getLast();
      FileInfo info = innermost.take();
      if (info != null) {
        met(innermost.directory, info);
      } else if (innermost.more) {
        return new Step.List(innermost.directory.path(), innermost.after);
      } else {
        leave();
      }
    }
  }

  private void met(TreeEntry directory, FileInfo info) {
    TreeEntry entry =
        new TreeEntry(directory.path().child(info.name()), directory.depth() + 1, info);
    if (info.isSymbolicLink() && options.links() == LinkPolicy.FOLLOW) {
      link = entry;
    } else {
      arrive(entry);
    }
  }

  private void arrive(TreeEntry entry) {
    boolean enters =
        entry.info().isDirectory()
            && entry.depth() < options.maxDepth()
            && entry.path().names().size() < StorePath.MAX_NAMES;
    if (enters) {
      frames.add(new Frame(entry));
      int forgetful = frames.size() - 1 - KEPT_PAGES;
      if (forgetful >= 0) {
        frames.get(forgetful).forget();
      }
    }
    if (!enters || options.order() == Order.DIRECTORY_FIRST) {
      ready = entry;
    }
  }

  private void leave() {
    Frame left = frames.removeLast();
    if (options.order() == Order.DIRECTORY_LAST) {
      ready = left.directory;
    }
  }

  /** Tells what {@link Step.List} asked for; fails for what ends the walk. */
  void listed(Completion<Listing> page) {
    switch (page) {
      case Completion.Done<Listing>(Listing listing) -> frames.getLast().fill(listing);
      case Completion.Failed<Listing>(Failure failure) -> {
        if (!isGone(failure)) {
          if (!Damage.isIn(failure)) {
            throw UpcallException.of(failure);
          }
          unlisted.accept(frames.getLast().directory.path(), failure);
        }
        frames.getLast().end();
      }
    }
  }

  /** Tells what {@link Step.Look} asked for; fails for what ends the walk. */
  void looked(Completion<FileInfo> seen) {
    TreeEntry followed = link;
    if (followed == null) {
      FileInfo info = UpcallException.value(seen);
      begun = true;
      arrive(new TreeEntry(start, 0, info));
      return;
    }
    link = null;
    switch (seen) {
      case Completion.Done<FileInfo>(FileInfo target) ->
          arrive(
              isAbove(target)
                  ? followed
                  : new TreeEntry(followed.path(), followed.depth(), target));
      case Completion.Failed<FileInfo>(Failure failure) -> {
        if (!isGone(failure) && !(failure instanceof Failure.LinkLoop)) {
          throw UpcallException.of(failure);
        }
        arrive(followed);
      }
    }
  }

  private boolean isAbove(FileInfo target) {
    return target.isDirectory()
        && frames.stream().anyMatch(frame -> frame.directory.info().id() == target.id());
  }

  private static boolean isGone(Failure failure) {
    return failure instanceof Failure.NotFound || failure instanceof Failure.NotADirectory;
  }

  /** How many entries are held. */
  int heldEntries() {
    return frames.stream().mapToInt(frame -> frame.page.size()).sum();
  }

  /** A directory that the walk is in. */
  private static final class Frame {
    private final TreeEntry directory;
    private List<FileInfo> page = List.of();
    private int at;
    private String after = "";
    private boolean more = true;

    Frame(TreeEntry directory) {
      this.directory = directory;
    }

    @Nullable FileInfo take() {
      return at < page.size() ? page.get(at++) : null;
    }

    void fill(Listing listing) {
      page = listing.entries();
      at = 0;
      after = listing.nextAfter().orElse(after);
      more = listing.hasMore();
    }

    void end() {
      page = List.of();
      at = 0;
      more = false;
    }

    void forget() {
      if (at < page.size()) {
        after = page.get(at - 1).name();
        more = true;
      }
      page = List.of();
      at = 0;
    }
  }
}
