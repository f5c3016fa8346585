package dev.upcall.tree;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The places of an inner page's pointers to its children, in the order of its entries. A place is
 * empty until somebody asks for the pointer, and any thread may fill it; all else is done by the
 * owner's thread.
 */
final class Children {
  /** Of a leaf. */
  static final Children NONE = new Children(0);

  private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(PageRef[].class);

  private final @Nullable PageRef[] places;

  /** As many empty places. */
  Children(int room) {
    places = new PageRef[room];
  }

  /** The same pointers with room for others. */
  Children copy(int count, int room) {
    Children copy = new Children(room);
    for (int i = 0; i < count; i++) {
      copy.places[i] = get(i);
    }
    return copy;
  }

  int room() {
    return places.length;
  }

  /** A pointer, or null while its place is empty. Any thread. */
  @Nullable PageRef get(int index) {
    return (PageRef) PLACE.getAcquire(places, index);
  }

  /**
   * Fills an empty place, and returns what is in it: of threads that do so at once, all the same.
   */
  PageRef fill(int index, PageRef made) {
    PageRef other = (PageRef) PLACE.compareAndExchange(places, index, null, made);
    return other != null ? other : made;
  }

  void set(int index, @Nullable PageRef child) {
    places[index] = child;
  }

  /** Moves those from an index on up by one, and sets it. */
  void insert(int index, int count, PageRef child) {
    System.arraycopy(places, index, places, index + 1, count - index);
    places[index] = child;
  }

  /** Moves those behind an index down by one. */
  void remove(int index, int count) {
    System.arraycopy(places, index + 1, places, index, count - index - 1);
  }
}
