package dev.upcall.txn.state;

import dev.upcall.tree.Cursor;
import dev.upcall.txn.View;

/** Walks a tree for a view. */
record TreeScan(Cursor cursor) implements View.Scan {
  @Override
  public View.Scan to(byte[] bound) {
    cursor.to(bound);
    return this;
  }

  @Override
  public boolean next() {
    return cursor.next();
  }

  @Override
  public byte[] key() {
    return cursor.key();
  }

  @Override
  public byte[] value() {
    return cursor.value();
  }
}
