package dev.upcall.txn.state;

import dev.upcall.base.Clock;
import dev.upcall.segment.layout.Inode;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import org.jspecify.annotations.Nullable;

/** The state as it is now. */
public final class LiveView implements View {
  private final StoreState state;
  private final Clock clock;

  public LiveView(StoreState state, Clock clock) {
    this.state = state;
    this.clock = clock;
  }

  @Override
  public byte @Nullable [] get(StoreTree tree, byte[] key) {
    return state.value(tree, key);
  }

  @Override
  public Scan from(StoreTree tree, byte[] key) {
    return new TreeScan(state.tree(tree).from(key));
  }

  @Override
  public Scan below(StoreTree tree, byte[] key) {
    return new TreeScan(state.tree(tree).below(key));
  }

  @Override
  public @Nullable Inode inode(long id) {
    return state.inode(id);
  }

  @Override
  public long scn() {
    return state.scn();
  }

  @Override
  public long timeNanos() {
    return clock.epochNanos();
  }
}
