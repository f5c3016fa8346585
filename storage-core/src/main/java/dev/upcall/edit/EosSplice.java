package dev.upcall.edit;

import java.util.ArrayList;
import java.util.List;

/**
 * One edit by {@link Eos}: <i>left</i>, which stays at the beginning of a piece, <i>right</i>,
 * which stays at the end of one, and between them the content of the new run. Names L, N and R in
 * the literature.
 */
final class EosSplice {
  private final Geometry geometry;
  private final int threshold;
  private final Neighbourhood around;
  private final Sources middle = new Sources();
  private int left;
  private long leftTo;
  private int right;
  private long rightFrom;

  EosSplice(Eos policy, Neighbourhood around, Edit edit) {
    this.geometry = policy.geometry();
    this.threshold = policy.threshold();
    this.around = around;
    Neighbourhood.Position begin = around.find(edit.offset());
    Neighbourhood.Position end = around.find(edit.end());
    left = begin.piece();
    leftTo = begin.offset();
    right = end.piece();
    rightFrom = end.offset();
    middle.addFresh(edit.inserted());
    // A run begins with a block: what is left of a block before the rest is copied.
    int used = geometry.partial(rightFrom);
    if (used > 0) {
      giveRight(Math.min(geometry.blockBytes() - used, rightBytes()));
    }
  }

  /** What becomes of it. */
  Plan plan() {
    reachThreshold();
    saveBlocks();
    List<Run> runs = new ArrayList<>();
    if (leftTo > 0) {
      runs.add(Run.kept(new Source.Old(left, 0, leftTo), geometry.blocks(leftTo)));
    }
    while (middle.bytes() > 0) {
      long bytes = Math.min(middle.bytes(), geometry.bytes(geometry.longestRun()));
      runs.add(Run.gathered(middle.take(bytes), geometry.blocks(bytes)));
    }
    if (rightBytes() > 0) {
      Source.Old rest = new Source.Old(right, rightFrom, around.bytes(right));
      runs.add(Run.kept(rest, geometry.blocks(rightBytes())));
    }
    return new Plan(left, right + 1, runs);
  }

  private void reachThreshold() {
    while (true) {
      boolean leftUnsafe = isUnsafe(leftTo);
      boolean rightUnsafe = isUnsafe(rightBytes());
      if (leftUnsafe || rightUnsafe) {
        if (isAlone()) {
          return;
        }
        absorb(leftUnsafe && (!rightUnsafe || leftTo <= rightBytes()));
      } else if (!isUnsafe(middle.bytes())) {
        return;
      } else if (leftTo > 0 || rightBytes() > 0) {
        giveOrAbsorb();
      } else if (!borrow()) {
        return;
      }
    }
  }

  private boolean isUnsafe(long bytes) {
    int blocks = geometry.blocks(bytes);
    return blocks > 0 && blocks < threshold;
  }

  /** Whether one side is all there is: an object that small needs no copying. */
  private boolean isAlone() {
    boolean oneSide = leftTo == 0 || rightBytes() == 0;
    return oneSide && middle.bytes() == 0 && left == 0 && right == around.count() - 1;
  }

  private void absorb(boolean fromLeft) {
    if (fromLeft) {
      giveLeft(leftTo);
    } else {
      giveRight(rightBytes());
    }
  }

  /** The smaller side gives as many blocks as are missing, if it stays safe then, else all. */
  private void giveOrAbsorb() {
    boolean fromLeft = rightBytes() == 0 || (leftTo > 0 && leftTo <= rightBytes());
    long bytes = fromLeft ? leftTo : rightBytes();
    int blocks = geometry.blocks(bytes);
    int missing = threshold - geometry.blocks(middle.bytes());
    if (blocks - missing < threshold) {
      absorb(fromLeft);
    } else if (fromLeft) {
      giveLeft(leftTo - geometry.bytes(blocks - missing));
    } else {
      giveRight(geometry.bytes(missing));
    }
  }

  /** A neighbour stands for a side that is empty. */
  private boolean borrow() {
    if (left > 0) {
      borrowLeft();
      return true;
    }
    if (right < around.count() - 1) {
      borrowRight();
      return true;
    }
    return false;
  }

  private void borrowLeft() {
    left--;
    leftTo = around.bytes(left);
  }

  private void borrowRight() {
    right++;
    rightFrom = 0;
  }

  /** Small ends join the last block of the new run where that saves a block of their own. */
  private void saveBlocks() {
    saveLeft();
    saveRight();
    if (threshold == 1) {
      joinSingles();
    }
  }

  private void saveLeft() {
    if (leftTo == 0 && left == 0) {
      return;
    }
    int donor = leftTo > 0 ? left : left - 1;
    long bytes = leftTo > 0 ? leftTo : around.bytes(donor);
    int end = geometry.partial(bytes);
    if (end > 0 && fits(end) && !isUnsafe(bytes - end)) {
      if (donor != left) {
        borrowLeft();
      }
      giveLeft(end);
    }
  }

  private void saveRight() {
    if (rightBytes() == 0 && right == around.count() - 1) {
      return;
    }
    int donor = rightBytes() > 0 ? right : right + 1;
    long bytes = rightBytes() > 0 ? rightBytes() : around.bytes(donor);
    if (geometry.blocks(bytes) == 1 && fits(bytes)) {
      if (donor != right) {
        borrowRight();
      }
      giveRight(bytes);
    }
  }

  /** Whether so many bytes have room in the last block of the new run. */
  private boolean fits(long bytes) {
    int used = geometry.partial(middle.bytes());
    return used > 0 && used + bytes <= geometry.blockBytes();
  }

  /** Two neighbours of one block that fit one join the new run: no threshold keeps them away. */
  private void joinSingles() {
    if (middle.bytes() == 0 && leftTo > 0 && rightBytes() > 0 && fitOne(leftTo, rightBytes())) {
      giveLeft(leftTo);
      giveRight(rightBytes());
    }
    if (leftTo > 0 && left > 0 && fitOne(leftTo, around.bytes(left - 1))) {
      giveLeft(leftTo);
      borrowLeft();
      giveLeft(leftTo);
    }
    boolean hasRight = right < around.count() - 1;
    if (rightBytes() > 0 && hasRight && fitOne(rightBytes(), around.bytes(right + 1))) {
      giveRight(rightBytes());
      borrowRight();
      giveRight(rightBytes());
    }
  }

  private boolean fitOne(long some, long others) {
    return some + others <= geometry.blockBytes();
  }

  private void giveLeft(long bytes) {
    middle.addFirst(left, leftTo - bytes, leftTo);
    leftTo -= bytes;
  }

  private void giveRight(long bytes) {
    long to = Math.min(rightFrom + bytes, around.bytes(right));
    middle.addLast(right, rightFrom, to);
    rightFrom = to;
  }

  private long rightBytes() {
    return around.bytes(right) - rightFrom;
  }
}
