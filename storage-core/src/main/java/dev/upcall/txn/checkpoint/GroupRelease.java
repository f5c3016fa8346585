package dev.upcall.txn.checkpoint;

import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.space.Extent;
import dev.upcall.txn.checkpoint.PlacingGroup.Item;
import dev.upcall.txn.state.StoreContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Lets go of the parts of a group by which nobody is held up: some in each turn. */
final class GroupRelease {
  private final StoreContext context;
  private final PlacingGroup group;
  private final Consumer<List<Extent>> then;
  private final TurnShare share;
  private final List<Extent> unused = new ArrayList<>();
  private int released;

  private GroupRelease(StoreContext context, PlacingGroup group, Consumer<List<Extent>> then) {
    this.context = context;
    this.group = group;
    this.then = then;
    this.share = TurnShare.ofParts(context);
  }

  /**
   * Lets go, of the first parts at once. Must itself run as an upcall.
   *
   * @param then gets the places that nothing was named for, to be given back
   */
  static void run(StoreContext context, PlacingGroup group, Consumer<List<Extent>> then) {
    new GroupRelease(context, group, then).step();
  }

  private void step() {
    List<Item> items = group.items();
    int behind = Math.min(items.size(), released + share.next(TurnShare.LEAST_PARTS));
    for (Item item : items.subList(released, behind)) {
      item.part().lease().release();
      if (!group.isPlaced(item)) {
        for (ExtentEntry entry : group.entries(item)) {
          unused.add(entry.extent());
        }
      }
    }
    released = behind;
    if (released < items.size()) {
      // A timer, not a post: the next turn looks for completions first.
      context.dispatcher().schedule(0, this::step);
    } else {
      then.accept(unused);
    }
  }
}
