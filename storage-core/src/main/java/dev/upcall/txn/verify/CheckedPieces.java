package dev.upcall.txn.verify;

import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.PositionCheck;
import dev.upcall.txn.reclaim.ReclaimPass;
import org.jspecify.annotations.Nullable;

/** Looks at the pages and pieces of the tree of a map. */
final class CheckedPieces extends CheckedPages implements PositionCheck.Visitor {
  private final Tree of;
  private final BlockLedger ledger;

  /**
   * The tree of a map of pieces.
   *
   * @param owner whose, in words
   * @param root where it begins
   * @param freedTo pages all of whose positions are lower were given back already
   * @param use what it is for, or null: it is on its way to be given back
   */
  record Tree(CheckedState.Owner owner, PageRef root, long freedTo, @Nullable Use use) {
    /** How many bytes the tree has; more than any, where nobody says it any more. */
    long bytes() {
      return use == null ? Long.MAX_VALUE : use.tree().bytes();
    }
  }

  /**
   * What the tree of a map is for.
   *
   * @param tree what the map says of it
   * @param named gets what its pieces name
   * @param space where these blocks are
   */
  record Use(PieceMap.Folded tree, NamedBlocks named, Layout.Space space) {}

  CheckedPieces(BlockLedger ledger, Tree of) {
    super(ledger, "a page with pieces of " + of.owner());
    this.of = of;
    this.ledger = ledger;
  }

  @Override
  public boolean wants(PageRef page, long behind) {
    if (ReclaimPass.isDone(behind, of.freedTo())) {
      return false;
    }
    boolean wants = isFirst(page);
    if (!wants && of.use() != null) {
      of.use().named().leaveOut();
    }
    return wants;
  }

  @Override
  public void run(long position, long length, long number) {
    if (of.use() == null) {
      return;
    }
    try {
      of.use().named().piece(of.use().tree(), position, new PieceMap.Piece(length, number));
    } catch (IllegalArgumentException e) {
      ledger.problem(of.root().addressA(), of.owner() + " has no map: " + e.getMessage());
    }
  }

  @Override
  public void end(long runs) {
    if (of.use() != null && of.use().tree().pieces() != runs) {
      ledger.problem(
          of.root().addressA(),
          "%s has %d pieces in its tree, and says %d"
              .formatted(of.owner(), runs, of.use().tree().pieces()));
    }
  }
}
