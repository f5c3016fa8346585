package dev.upcall.txn.verify;

import dev.upcall.space.Extent;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.PagesCheck;

/** Claims the pages of one tree. */
abstract class CheckedPages implements PagesCheck.Claims {
  private final BlockLedger ledger;
  private final String owner;

  CheckedPages(BlockLedger ledger, String owner) {
    this.ledger = ledger;
    this.owner = owner;
  }

  @Override
  public final boolean claim(long block) {
    return ledger.claimMetadata(block, owner);
  }

  /** Whether a page was not seen yet; one that was has a user more. */
  final boolean isFirst(PageRef page) {
    boolean again = ledger.isClaimedAndShared(page.addressA());
    if (again) {
      Extent.each(page.blocks(), extent -> ledger.claim(extent, owner));
    }
    return !again;
  }
}
