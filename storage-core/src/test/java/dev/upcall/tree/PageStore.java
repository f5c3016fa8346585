package dev.upcall.tree;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** A volume of pages for tests: blocks by address, and the list of those that may be reused. */
final class PageStore {
  private final Map<Long, byte[]> blocks = new LinkedHashMap<>();
  private final TreeConfig config;
  private long nextBlock = 1;
  private long loads;

  PageStore(TreeConfig config) {
    this.config = config;
  }

  /** Writes one page to fresh blocks. */
  void persist(DirtyPage page) {
    byte[] image = new byte[config.pageBytes()];
    long a = nextBlock++;
    long b = page.hasOneCopy() ? 0 : nextBlock++;
    page.assign(a, b, ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN));
    blocks.put(a, image);
    if (b != 0) {
      blocks.put(b, image.clone());
    }
    page.written();
  }

  /** Writes all that is left of a frozen tree. */
  void persist(Frozen frozen) {
    for (DirtyPage page = frozen.nextToPersist(); page != null; page = frozen.nextToPersist()) {
      persist(page);
    }
  }

  byte[] block(long address) {
    byte[] block = blocks.get(address);
    if (block == null) {
      throw new IllegalStateException("block " + address + " was freed or never written");
    }
    return block;
  }

  void free(long address) {
    if (blocks.remove(address) == null) {
      throw new IllegalStateException("block " + address + " was freed twice");
    }
  }

  int usedBlocks() {
    return blocks.size();
  }

  long loads() {
    return loads;
  }

  void load(PageRef ref) {
    loads++;
    PageLoad load = ref.load(ByteBuffer.wrap(block(ref.addressA())).order(ByteOrder.LITTLE_ENDIAN));
    if (load instanceof PageLoad.Mismatch mismatch) {
      throw new IllegalStateException(ref + ": " + mismatch);
    }
  }

  /** Runs something that reads, loading what it misses. */
  <T> T reading(Supplier<T> look) {
    while (true) {
      try {
        return look.get();
      } catch (PageMissing missing) {
        load(missing.page());
      }
    }
  }
}
