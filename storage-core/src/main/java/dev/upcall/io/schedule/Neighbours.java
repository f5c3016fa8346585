package dev.upcall.io.schedule;

import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Every dispatch between those who ask and their answers, by its blocks. Requests that touch the
 * same blocks keep their order if one of them changes something there: the later one is known here
 * and nowhere else until the earlier one has completed. And who follows another one, or stands
 * right before it, can be found, to become one with it.
 */
final class Neighbours {
  /** No transfer has more blocks. */
  private static final long MAX_BLOCKS = Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES;

  private final MergeConfig config;
  private final boolean lastOnly;

  /** Transfers, by first block. */
  private final TreeMap<BlockKey, Placed> transfers = new TreeMap<>();

  /** Those that another one may be merged with, by the block behind their last. */
  private final TreeMap<BlockKey, Placed> open = new TreeMap<>();

  /** What changes room, of any length. */
  private final List<Placed> spaces = new ArrayList<>();

  private @Nullable Placed last;
  private long arrivals;
  private int parked;

  Neighbours(MergeConfig config, boolean lastOnly) {
    this.config = config;
    this.lastOnly = lastOnly;
  }

  /** How many wait for one that touches the same blocks. */
  int parked() {
    return parked;
  }

  /** A request has come; its dispatch goes on if it {@link Placed#isFree}. */
  Placed arrived(IoScheduler scheduler, DiskRequest request, long served) {
    Placed dispatch = new Placed(scheduler, request, request.port(), served, arrivals++);
    if (dispatch.hasNoBlocks()) {
      return dispatch;
    }
    for (Placed earlier : spaces) {
      dispatch.keepsOrderWith(earlier);
    }
    BlockKey from = BlockKey.before(Math.max(0, dispatch.block() - MAX_BLOCKS));
    for (Placed earlier : transfers.subMap(from, BlockKey.before(dispatch.end())).values()) {
      dispatch.keepsOrderWith(earlier);
    }
    if (dispatch.movesData()) {
      transfers.put(firstKey(dispatch), dispatch);
    } else {
      spaces.add(dispatch);
    }
    parked += dispatch.isFree() ? 0 : 1;
    return dispatch;
  }

  private static BlockKey firstKey(Placed dispatch) {
    return new BlockKey(dispatch.block(), dispatch.number());
  }

  private static BlockKey endKey(Placed dispatch) {
    return new BlockKey(dispatch.end(), dispatch.number());
  }

  /**
   * The dispatch that a free one can be merged with, and is from now on; null if there is none, and
   * the free one is open to others.
   */
  @Nullable Placed mergedInto(Placed dispatch) {
    if (!dispatch.movesData() || config.maxBytes() == 0) {
      return null;
    }
    Placed into = dispatch.blocks() < config.maxBlocks() ? neighbour(dispatch) : null;
    if (into == null) {
      open.put(endKey(dispatch), dispatch);
      last = dispatch;
      return null;
    }
    remove(dispatch);
    remove(into);
    into.merge(dispatch);
    transfers.put(firstKey(into), into);
    open.put(endKey(into), into);
    return into;
  }

  private @Nullable Placed neighbour(Placed dispatch) {
    for (Placed before : at(open, dispatch.block())) {
      if (suits(before, dispatch)) {
        return before;
      }
    }
    if (config.front()) {
      for (Placed behind : at(transfers, dispatch.end())) {
        if (open.containsKey(endKey(behind)) && suits(behind, dispatch)) {
          return behind;
        }
      }
    }
    return null;
  }

  private static Iterable<Placed> at(NavigableMap<BlockKey, Placed> map, long block) {
    return map.subMap(BlockKey.before(block), BlockKey.before(block + 1)).values();
  }

  private boolean suits(Placed one, Placed other) {
    return one.request().getClass() == other.request().getClass()
        && one.ioClass() == other.ioClass()
        && one.blocks() + other.blocks() <= config.maxBlocks()
        && (!lastOnly || one == last);
  }

  /** A dispatch goes to the device: nothing can be added to it any more. */
  void passed(Placed dispatch) {
    open.remove(endKey(dispatch));
    last = last == dispatch ? null : last;
  }

  /** A dispatch has completed; those that may go on because of that are named. */
  void left(Placed dispatch, Consumer<Placed> free) {
    remove(dispatch);
    List<Placed> next = new ArrayList<>(0);
    for (Placed follower : dispatch.followers()) {
      if (follower.unblocked()) {
        next.add(follower);
      }
    }
    parked -= next.size();
    next.forEach(free);
  }

  private void remove(Placed dispatch) {
    if (dispatch.movesData()) {
      transfers.remove(firstKey(dispatch));
      open.remove(endKey(dispatch));
    } else if (!dispatch.hasNoBlocks()) {
      spaces.remove(dispatch);
    }
  }

  /** What the background wants, somebody waits for. */
  void lift() {
    transfers.values().forEach(Neighbours::liftParked);
    spaces.forEach(Neighbours::liftParked);
  }

  private static void liftParked(Placed dispatch) {
    if (!dispatch.isFree()) {
      dispatch.lift();
    }
  }
}
