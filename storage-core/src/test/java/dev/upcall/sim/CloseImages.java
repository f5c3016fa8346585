package dev.upcall.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a disk may hold if its machine dies at a few moments of its life, each step as likely as any
 * other, and at its end. Its chance is its own, so that whoever uses the disk sees no difference.
 */
final class CloseImages {
  private static final int MOMENTS = 2;

  private final SimDisk disk;
  private final SplittableRandom random;
  private final List<DiskImage> images = new ArrayList<>();
  private long steps;

  CloseImages(SimDisk disk, long seed) {
    this.disk = disk;
    this.random = new SplittableRandom(~seed);
  }

  /** The disk made a step. */
  void step() {
    steps++;
    if (images.size() < MOMENTS) {
      images.add(disk.crashImage(random));
    } else if (random.nextLong(steps) < MOMENTS) {
      images.set(random.nextInt(MOMENTS), disk.crashImage(random));
    }
  }

  /** The moments seen so far, and this one. */
  List<DiskImage> take() {
    List<DiskImage> all = new ArrayList<>(images);
    all.add(disk.crashImage(random));
    images.clear();
    return all;
  }
}
