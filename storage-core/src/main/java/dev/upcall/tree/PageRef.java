package dev.upcall.tree;

import dev.upcall.base.Invariants;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A pointer to a page: one address or two, checksum, level and birth; in memory also the page
 * itself while it is resident. One object for each pointer, shared by the frozen and the live tree,
 * so that an address assigned by a checkpoint is seen by both.
 *
 * <p>Readers of a {@link TreeVersion} on other threads look at the page alone, and see it or none.
 *
 * <p>Encoded in {@value #ENCODED_BYTES} bytes, little-endian; all zero means the empty tree:
 *
 * <pre>
 *  0  u64 block of copy A
 *  8  u64 block of copy B; 0: a leaf with one copy; all ones: one with one copy that was lost
 * 16  u32 CRC32C of the page
 * 20  u32 level, 0 = leaf
 * 24  u64 birth: SCN of the frozen tree with which the page was written
 * </pre>
 */
public final class PageRef {
  /** Size of an encoded pointer. */
  public static final int ENCODED_BYTES = 32;

  /** Stands for the second address of a page that has one copy. */
  static final long ONE_COPY = 0;

  /** So many looks at a page's image have the page loaded. */
  private static final int LOOKS_UNTIL_LOADED = 16;

  /** The same, of a page that is never read again. */
  static final long LOST_COPY = -1;

  /** How far the page is on its way to disk. */
  enum Stage {
    /** No address yet; only in memory. */
    DIRTY,
    /** Has its addresses, but the writes have not completed. */
    WRITING,
    /** What is at the addresses is the page. */
    CLEAN
  }

  private final @Nullable TreeHome home;
  private final int level;
  private long addressA;
  private long addressB;
  private long birth;
  private int crc;
  private Stage stage;
  private @Nullable Page page;

  /** Still part of the live tree; meaningful only while the page is dirty. */
  private boolean live = true;

  private boolean touched;
  private byte imageLooks;
  private int seenInUse;
  private boolean stale;

  private PageRef(@Nullable TreeHome home, int level, Stage stage) {
    this.home = home;
    this.level = level;
    this.stage = stage;
  }

  /** A pointer to a new page without an address. */
  static PageRef toNew(TreeHome home, Page page) {
    PageRef ref = new PageRef(home, page.level(), Stage.DIRTY);
    ref.page = page;
    return ref;
  }

  /** A pointer to a page on disk; give it to a tree as its root, or encode it. */
  public static PageRef of(long addressA, long addressB, int crc, int level, long birth) {
    return onDisk(null, addressA, addressB, crc, level, birth);
  }

  private static PageRef onDisk(
      @Nullable TreeHome home, long addressA, long addressB, int crc, int level, long birth) {
    PageRef ref = new PageRef(home, level, Stage.CLEAN);
    ref.addressA = addressA;
    ref.addressB = addressB;
    ref.crc = crc;
    ref.birth = birth;
    return ref;
  }

  /** Reads a pointer, or null for the empty tree. Advances the buffer (little-endian). */
  public static @Nullable PageRef decode(ByteBuffer from) {
    return decode(null, from);
  }

  static @Nullable PageRef decode(@Nullable TreeHome home, ByteBuffer from) {
    long a = from.getLong();
    long b = from.getLong();
    int crc = from.getInt();
    int level = from.getInt();
    long birth = from.getLong();
    return a == 0 ? null : onDisk(home, a, b, crc, level, birth);
  }

  /**
   * Writes a pointer, zeros for the empty tree. Advances the buffer (little-endian). The page must
   * have its addresses.
   */
  public static void encode(@Nullable PageRef ref, ByteBuffer to) {
    if (ref == null) {
      to.putLong(0).putLong(0).putLong(0).putLong(0);
      return;
    }
    Invariants.check(ref.hasAddress(), "pointer to a page without address", ref);
    to.putLong(ref.addressA).putLong(ref.addressB);
    to.putInt(ref.crc).putInt(ref.level).putLong(ref.birth);
  }

  /** This pointer as one of the given tree; the same object if it already is. */
  PageRef boundTo(TreeHome tree) {
    TreeHome mine = home;
    if (mine != null && mine.treeId() == tree.treeId() && mine.config().equals(tree.config())) {
      return this;
    }
    Invariants.check(hasAddress(), "root of another tree without address", this);
    return onDisk(tree, addressA, addressB, crc, level, birth);
  }

  /** A pointer in the place of this one to a leaf whose only copy is damaged. */
  PageRef lost() {
    Invariants.check(hasOneCopy() && level == 0, "a lost page that has another copy", this);
    return onDisk(home, addressA, LOST_COPY, crc, level, birth);
  }

  /** Block of the first copy, which no other page has; 0 while the page has no address. */
  public long addressA() {
    return addressA;
  }

  /** The blocks of its copies, the first one first; the page must have its addresses. */
  public long[] blocks() {
    Invariants.check(hasAddress(), "blocks of a page without address", this);
    return hasOneCopy() ? new long[] {addressA} : new long[] {addressA, addressB};
  }

  /** Whether the page is on disk in one copy. */
  public boolean hasOneCopy() {
    return hasAddress() && (addressB == ONE_COPY || addressB == LOST_COPY);
  }

  /** Whether its only copy was found damaged, and must not be believed whatever it holds now. */
  public boolean isLost() {
    return addressB == LOST_COPY;
  }

  /** CRC32C of the page as written. */
  public int crc() {
    return crc;
  }

  /** Distance from the leaves; a leaf is 0. */
  public int level() {
    return level;
  }

  /** SCN at which the page was frozen to be written. */
  public long birth() {
    return birth;
  }

  /** Whether the page was given a place on disk. */
  boolean hasAddress() {
    return stage != Stage.DIRTY;
  }

  /** Whether the page is in memory. */
  public boolean isResident() {
    return page != null;
  }

  /** Whether both point to the same page on disk. */
  public boolean samePageAs(PageRef other) {
    return hasAddress()
        && other.hasAddress()
        && addressA == other.addressA
        && addressB == other.addressB
        && crc == other.crc
        && level == other.level
        && birth == other.birth;
  }

  /**
   * Takes a block read from one of the two addresses, verifies that it is this page (checksum,
   * volume, tree, level, birth, structure) and makes it resident. The bytes from position on are
   * copied; position and limit stay. Loading a page that is resident changes nothing.
   */
  public PageLoad load(ByteBuffer block) {
    TreeHome tree = home();
    if (page != null) {
      return PageLoad.Attached.ATTACHED;
    }
    byte[] image = image(block, tree);
    PageLoad.Mismatch mismatch = PageCodec.verify(image, this, tree);
    return mismatch == null ? attach(image, tree) : mismatch;
  }

  /** As {@link #load}, by a store that is broken on purpose: of whatever has the form of a page. */
  public PageLoad believe(ByteBuffer block) {
    TreeHome tree = home();
    byte[] image = image(block, tree);
    PageLoad.Mismatch mismatch = PageCodec.verifyEntries(image, this, tree);
    return mismatch == null ? attach(image, tree) : mismatch;
  }

  private PageLoad attach(byte[] image, TreeHome tree) {
    page = PageCodec.decode(image, tree);
    touched = true;
    stale = false;
    tree.pages().resident(this);
    return PageLoad.Attached.ATTACHED;
  }

  /** Which fact about a block is not that of this page, as {@link #load} finds, or null. */
  public PageLoad.@Nullable Mismatch compare(ByteBuffer block) {
    TreeHome tree = home();
    return PageCodec.verify(image(block, tree), this, tree);
  }

  private static byte[] image(ByteBuffer block, TreeHome tree) {
    byte[] image = new byte[tree.config().pageBytes()];
    block.get(block.position(), image);
    return image;
  }

  TreeHome home() {
    TreeHome tree = home;
    if (tree == null) {
      throw new IllegalStateException("a pointer that no tree has taken: " + this);
    }
    return tree;
  }

  /** The page, or {@link PageMissing}. */
  Page resident() {
    Page found = look();
    if (found == null) {
      throw new PageMissing(this);
    }
    return found;
  }

  /** The page, or null if it must be loaded. */
  @Nullable Page look() {
    if (!touched) { // many threads look, and none should take the line from the others
      touched = true;
    }
    Page present = page;
    return present == null && home != null ? image(home) : present;
  }

  /**
   * The page from an image, for this look alone. After some looks there is none, so a page that is
   * looked at often is loaded, and then costs no copy and no checksum.
   */
  private @Nullable Page image(TreeHome tree) {
    byte[] image = tree.pages().imageElsewhere(addressA);
    if (image == null || PageCodec.verify(image, this, tree) != null) {
      return null;
    }
    if (++imageLooks == LOOKS_UNTIL_LOADED) { // racing threads may count one look
      imageLooks = 0;
      return null;
    }
    return PageCodec.decode(image, tree);
  }

  @Nullable Page pageIfResident() {
    return page;
  }

  /** The page was split: the pointer goes on with its lower half. */
  void replacePage(Page lower) {
    Invariants.check(stage == Stage.DIRTY, "split of a page that may not change", this);
    page = lower;
  }

  boolean isLive() {
    return live;
  }

  void leaveLiveTree() {
    live = false;
    stale = true;
  }

  void assign(long a, long b, int checksum, long scn) {
    Invariants.check(stage == Stage.DIRTY, "page gets a second address", this);
    Invariants.check(a > 0 && b >= 0 && a != b, "two addresses", a, b);
    Invariants.check(b > 0 || level == 0, "one address of an inner page", a);
    addressA = a;
    addressB = b;
    crc = checksum;
    birth = scn;
    stage = Stage.WRITING;
  }

  void written() {
    Invariants.check(stage == Stage.WRITING, "page written out of turn", this);
    stage = Stage.CLEAN;
    home().pages().resident(this);
  }

  /** Whether the page was used since the last time this was asked. */
  boolean takeTouched() {
    boolean was = touched;
    touched = false;
    return was;
  }

  /** The page cache's clock when it last found the page in use. */
  int lastSeenInUse() {
    return seenInUse;
  }

  void seenInUse(int clock) {
    seenInUse = clock;
  }

  /** Whether the live tree no longer uses this pointer. */
  boolean isStale() {
    return stale;
  }

  /**
   * Drops the page. Only clean ones, only between upcalls.
   *
   * @return whether it went; an inner page stays while one of its children is resident
   */
  boolean evict() {
    Invariants.check(stage == Stage.CLEAN, "eviction of a page that is not on disk", this);
    Page present = page;
    if (present != null && !stale && present.hasResidentChild()) {
      return false;
    }
    page = null;
    return true;
  }

  @Override
  public String toString() {
    return "page(blocks %d and %d, level %d, birth %d, crc %08x, %s)"
        .formatted(addressA, addressB, level, birth, crc, stage);
  }
}
