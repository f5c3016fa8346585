package dev.upcall.txn.recovery;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.segment.paging.PageLoader;
import dev.upcall.store.VerifyReport;
import dev.upcall.tree.PageLook;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.volume.Superblock;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Opening: loads the root of each tree and looks at both copies, before anything is changed. Where
 * one of them is not the root's page, that may be damage, which the other copy heals; or the block
 * is somebody else's, and the superblock lies. Then it would be freed, and handed out, while it is
 * still in use; so all trees are asked whose it is.
 */
final class RootLoading {
  private final StoreContext context;
  private final Superblock superblock;
  private final Recovery.Parts parts;
  private final CompletionPort<Unit> port;
  private final Iterator<StoreTree> left = Arrays.asList(StoreTree.values()).iterator();

  /** Blocks that should be a root's copy and are not, and of which tree. */
  private final TreeMap<Long, StoreTree> doubtful = new TreeMap<>();

  private @Nullable Failure lie;

  /**
   * A loading.
   *
   * @param port fails with {@code Corrupt} or {@code Device} if a root is lost, or is somebody
   *     else's page
   */
  RootLoading(
      StoreContext context,
      Superblock superblock,
      Recovery.Parts parts,
      CompletionPort<Unit> port) {
    this.context = context;
    this.superblock = superblock;
    this.parts = parts;
    this.port = port;
  }

  /** Loads the next root. Must itself run as an upcall. */
  void next() {
    while (left.hasNext()) {
      StoreTree tree = left.next();
      PageRef root = context.state().tree(tree).root();
      if (root != null) {
        context
            .loader()
            .loadBoth(root, port.then((PageLoader.Copies copies) -> judge(tree, root, copies)));
        return;
      }
    }
    if (doubtful.isEmpty()) {
      port.complete(Completion.done());
    } else {
      parts.findOwners(context, superblock, this::disputed, this::found);
    }
  }

  private void judge(StoreTree tree, PageRef root, PageLoader.Copies copies) {
    Failure first = copies.first();
    Failure second = copies.second();
    if (first != null && second != null) {
      port.complete(Completion.failed(lost(tree, root, first, second)));
      return;
    }
    if (first != null) {
      doubtful.put(root.addressA(), tree);
    } else if (second != null) {
      doubtful.put(root.blocks()[1], tree);
    }
    if (root.level() > 0 && PageLook.children(root).getFirst().low().length > 0) {
      port.complete(
          Completion.failed(
              corrupt(
                  tree, root, root.addressA(), "where a page from the midst of the tree lies")));
      return;
    }
    next();
  }

  private void disputed(long block) {
    StoreTree tree = doubtful.get(block);
    PageRef root = tree == null ? null : context.state().tree(tree).root();
    if (tree != null && root != null && lie == null) {
      lie = corrupt(tree, root, block, "of which one is in use for something else");
    }
  }

  private void found(Completion<VerifyReport> completion) {
    if (lie != null) {
      port.complete(Completion.failed(lie));
    } else if (completion instanceof Completion.Failed<VerifyReport>(Failure why)
        && !(why instanceof Failure.TooLarge)) {
      port.complete(Completion.failed(why));
    } else {
      port.complete(Completion.done());
    }
  }

  private Failure lost(StoreTree tree, PageRef root, Failure first, Failure second) {
    if (first
            instanceof
            Failure.Corrupt(String volume, String what, long at, long want, long found, var _)
        && second instanceof Failure.Corrupt) {
      String neither = structure(tree, root, "of which neither holds it: " + what);
      return new Failure.Corrupt(volume, neither, at, want, found);
    }
    return first instanceof Failure.Device ? first : second; // that may be a whole copy
  }

  private Failure corrupt(StoreTree tree, PageRef root, long block, String what) {
    return corrupt(context.disk().name(), block, structure(tree, root, what));
  }

  /** Of a block that a superblock should not name. */
  static Failure corrupt(String volume, long block, String structure) {
    return Failure.Corrupt.missing(volume, structure, block * Disk.BLOCK_BYTES);
  }

  /** Which root, with two copies, where the superblock says it is, and what to do. */
  static String structure(StoreTree tree, PageRef root, String what) {
    return "the root of tree %d (%s), which the superblock puts into blocks %d and %d, %s (export what it shows when opened read-only, or restore a backup)"
        .formatted(
            tree.number(),
            tree.name().toLowerCase(Locale.ROOT),
            root.blocks()[0],
            root.blocks()[1],
            what);
  }
}
