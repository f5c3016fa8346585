package dev.upcall.sim;

import dev.upcall.io.Disk;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a device has promised and what it merely holds: the contents that requests see, the contents
 * that are certain to survive, and everything in between that a crash may keep, lose or tear.
 */
final class CrashModel {
  /** What one request does to the medium. */
  static final class Effect {
    private final long block;
    private final byte[][] data;
    private final long discarded;
    private final long newSize;
    private final boolean onlyGrows;
    private final boolean[] superseded;
    private long completedAs;
    private boolean doubtful;

    /** It has happened before its completion tells so. */
    private boolean landed;

    /** Somebody else has written the device since: whatever is heard of it changes nothing. */
    private boolean over;

    private Effect(long block, byte[][] data, long discarded) {
      this.block = block;
      this.data = data;
      this.discarded = discarded;
      this.newSize = -1;
      this.onlyGrows = false;
      this.superseded = new boolean[Math.toIntExact(Math.max(data.length, discarded))];
    }

    private Effect(long newSize, boolean onlyGrows) {
      this.block = 0;
      this.data = new byte[0][];
      this.discarded = 0;
      this.newSize = newSize;
      this.onlyGrows = onlyGrows;
      this.superseded = new boolean[0];
    }

    /** Blocks get new contents. */
    static Effect write(long block, byte[][] data) {
      return new Effect(block, data, 0);
    }

    /** Blocks turn into zeros. */
    static Effect discard(long block, long blocks) {
      return new Effect(block, new byte[0][], blocks);
    }

    /** The volume ends there. */
    static Effect cut(long blocks) {
      return new Effect(blocks, /* onlyGrows= */ false);
    }

    /** The volume has so many blocks at least. */
    static Effect grow(long blocks) {
      return new Effect(blocks, /* onlyGrows= */ true);
    }

    /** The size of a volume that had another one. */
    long sizeAfter(long before) {
      return onlyGrows ? Math.max(before, newSize) : newSize;
    }

    byte[][] data() {
      return data;
    }

    /** Whether it was complete before another one was. */
    boolean isBefore(Effect other) {
      return completedAs != 0 && completedAs < other.completedAs;
    }

    boolean overlaps(long first, long blocks) {
      if (newSize >= 0) {
        return first + blocks > newSize;
      }
      long mine = Math.max(data.length, discarded);
      return first < block + mine && block < first + blocks;
    }
  }

  private DiskImage current;
  private DiskImage durable;
  private final int sectorBytes;
  private final List<Effect> uncertain = new ArrayList<>();
  private long completions;

  CrashModel(DiskImage start, int sectorBytes) {
    this.current = start.fork();
    this.durable = start.fork();
    this.sectorBytes = sectorBytes;
  }

  DiskImage current() {
    return current;
  }

  /** From now on the effect may happen, in whole or in part. */
  void begin(Effect effect) {
    uncertain.add(effect);
  }

  /** Whether an effect that began and did not end touches these blocks. */
  boolean inFlight(long block, long blocks) {
    for (Effect effect : uncertain) {
      if (effect.completedAs == 0 && effect.overlaps(block, blocks)) {
        return true;
      }
    }
    return false;
  }

  /** What began and did not end. */
  List<Effect> inFlight() {
    return uncertain.stream().filter(effect -> effect.completedAs == 0).toList();
  }

  /** All that is in flight happens now; the completions of which tell later. */
  void land() {
    for (Effect effect : inFlight()) {
      complete(effect);
      effect.landed = true;
    }
  }

  /** Somebody else has written the device: that is what it holds, for certain. */
  void replace(DiskImage image) {
    for (Effect effect : uncertain) {
      effect.over = true;
    }
    uncertain.clear();
    current = image.fork();
    durable = image.fork();
  }

  /** The effect is seen by requests from now on, and survives a crash only by luck. */
  void complete(Effect effect) {
    if (effect.landed || effect.over) {
      return;
    }
    effect.completedAs = ++completions;
    apply(effect, current);
  }

  /** The effect happened to some sectors and not to others. */
  void completeTorn(Effect effect, SplittableRandom random) {
    for (int i = 0; i < effect.data.length; i++) {
      effect.data[i] = torn(current.read(effect.block + i), effect.data[i], random);
    }
    complete(effect);
  }

  /** Takes back an effect that turned out not to happen at all. */
  void cancel(Effect effect) {
    uncertain.remove(effect);
  }

  /** Blocks are gone, whatever was promised. */
  void lose(long block, long blocks) {
    current.discard(block, blocks);
    durable.discard(block, blocks);
  }

  /** The effect is seen and certain. */
  void completeDurably(Effect effect) {
    complete(effect);
    makeDurable(effect);
    uncertain.remove(effect);
  }

  /** The point up to which a sync that begins now will cover. */
  long syncPoint() {
    return completions;
  }

  /** Everything that had completed by then is certain, except what an earlier sync gave up. */
  void sync(long point) {
    List<Effect> covered = covered(point);
    covered.removeIf(effect -> effect.doubtful);
    covered.sort((a, b) -> Long.compare(a.completedAs, b.completedAs));
    uncertain.removeIf(
        effect -> effect.completedAs != 0 && effect.completedAs <= point && !effect.doubtful);
    for (Effect effect : covered) {
      makeDurable(effect);
    }
  }

  /**
   * No content that had completed by then will ever be certain by a sync. A size stays for the next
   * one: a file system forgets no metadata that its journal does not have.
   */
  void failSync(long point) {
    for (Effect effect : covered(point)) {
      effect.doubtful = effect.newSize < 0;
    }
  }

  /** One of the images that the device may hold after losing power now. */
  DiskImage crashImage(SplittableRandom random) {
    DiskImage image = durable.fork();
    long size = image.sizeBlocks();
    // Whole-sale outcomes are rare by independent draws, and are what finds ordering errors.
    int mood = random.nextInt(6);
    for (Effect effect : uncertain) {
      boolean keep = mood != 0 && (mood == 1 || random.nextInt(3) != 0);
      if (!keep) {
        continue;
      }
      boolean whole = mood == 1 || random.nextInt(2) == 0;
      if (effect.newSize >= 0) {
        long before = image.sizeBlocks();
        image.resize(Math.min(before, effect.sizeAfter(before)));
        size = effect.sizeAfter(size);
      } else if (whole) {
        apply(effect, image);
      } else {
        applyTorn(effect, image, random);
      }
    }
    image.resize(DiskImage.MAX_BLOCKS);
    image.resize(size);
    return image;
  }

  private List<Effect> covered(long point) {
    List<Effect> covered = new ArrayList<>();
    for (Effect effect : uncertain) {
      if (effect.completedAs != 0 && effect.completedAs <= point) {
        covered.add(effect);
      }
    }
    return covered;
  }

  private void makeDurable(Effect effect) {
    if (effect.over) {
      return;
    }
    apply(effect, durable);
    if (effect.data.length > 0) {
      durable.resize(Math.max(durable.sizeBlocks(), effect.block + effect.data.length));
    }
    if (effect.newSize >= 0) {
      // The file system's journal keeps sizes in their order, also one that a sync gave up.
      uncertain.removeIf(older -> older.newSize >= 0 && older.isBefore(effect));
    }
    for (Effect older : uncertain) {
      if (older.isBefore(effect)) {
        supersede(older, effect);
      }
    }
  }

  private static void supersede(Effect older, Effect newer) {
    long first = Math.max(older.block, newer.block);
    long end =
        Math.min(older.block + older.superseded.length, newer.block + newer.superseded.length);
    for (long at = first; at < end; at++) {
      older.superseded[(int) (at - older.block)] = true;
    }
  }

  private static void apply(Effect effect, DiskImage image) {
    if (effect.newSize >= 0) {
      image.resize(effect.sizeAfter(image.sizeBlocks()));
    }
    discard(effect, effect.discarded, image);
    for (int i = 0; i < effect.data.length; i++) {
      if (!effect.superseded[i]) {
        image.put(effect.block + i, effect.data[i]);
      }
    }
  }

  private static void discard(Effect effect, long blocks, DiskImage image) {
    for (int i = 0; i < blocks; i++) {
      if (!effect.superseded[i]) {
        image.discard(effect.block + i, 1);
      }
    }
  }

  private void applyTorn(Effect effect, DiskImage image, SplittableRandom random) {
    if (effect.discarded > 0) {
      discard(effect, random.nextLong(effect.discarded + 1), image);
    }
    boolean withinBlocks = random.nextBoolean();
    for (int i = 0; i < effect.data.length; i++) {
      if (effect.superseded[i]) {
        continue;
      }
      long at = effect.block + i;
      if (withinBlocks) {
        image.put(at, torn(image.read(at), effect.data[i], random));
      } else if (random.nextBoolean()) {
        image.put(at, effect.data[i]);
      }
    }
  }

  private byte[] torn(byte[] old, byte[] young, SplittableRandom random) {
    byte[] mixed = old.clone();
    for (int at = 0; at < Disk.BLOCK_BYTES; at += sectorBytes) {
      if (random.nextBoolean()) {
        System.arraycopy(young, at, mixed, at, sectorBytes);
      }
    }
    return mixed;
  }
}
