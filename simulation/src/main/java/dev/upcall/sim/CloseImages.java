package dev.upcall.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * What a disk may hold if its machine dies at a few moments of its life, each step as likely as any
 * other, and at its end. Its chance is its own, so that whoever uses the disk sees no difference.
 */
final class CloseImages {
  private static final int MOMENTS = 2;

  private final SimDisk disk;
  private final Consumer<DiskImage> check;
  private final SplittableRandom random;
  private final List<DiskImage> images = new ArrayList<>();
  private long steps;

  /** The images of a disk, for somebody who finds what is wrong with one. */
  CloseImages(SimDisk disk, long seed, Consumer<DiskImage> check) {
    this.disk = disk;
    this.check = check;
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

  /** Has the images of the moments seen so far checked, and of this one. */
  void check() {
    List<DiskImage> all = new ArrayList<>(images);
    all.add(disk.crashImage(random));
    images.clear();
    all.forEach(check);
  }
}
