package dev.upcall.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** Pointers from a page that came from disk: made when somebody asks, one for all who ask. */
class ChildPointersTest {
  private static final int RACES = 300;

  private final TreeConfig config = TreeConfig.ofFanOut(1, 8);
  private final PageStore store = new PageStore(config);
  private final PageRef root = written();
  private final TreeHome home = new TreeHome(config, 1, new PageCache(1 << 20, page -> {}));

  private PageRef written() {
    Tree tree = new Tree(config, 1, null, new PageCache(0, page -> {}));
    for (int i = 0; i < 60; i++) {
      byte[] key = {(byte) i};
      tree.put(key, key);
    }
    store.persist(tree.freeze(1));
    return tree.root();
  }

  private Page loaded() {
    return PageCodec.decode(store.block(root.addressA()).clone(), home);
  }

  private byte[] encoded(Page page) {
    byte[] image = new byte[config.pageBytes()];
    ByteBuffer to = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(root.crc(), PageCodec.encode(page, home, root.birth(), to));
    return image;
  }

  @Test
  void aPointerIsMadeOnceAndLeadsToThePage() {
    Page page = loaded();
    assertNull(page.childIfMade(1));
    PageRef child = page.child(1);
    assertSame(child, page.child(1));
    assertNull(page.childIfMade(0));
    store.load(child);
    assertTrue(child.isResident());
  }

  /** Whichever pointers of it and of its copy were made. */
  @Test
  void thePageIsWrittenAsItWasRead() {
    Page page = loaded();
    byte[] image = store.block(root.addressA());
    assertArrayEquals(image, encoded(page));
    page.child(1);
    assertArrayEquals(image, encoded(page));
    Page copy = page.copy(new Edition());
    assertSame(page.child(1), copy.child(1));
    assertArrayEquals(image, encoded(copy));
    assertTrue(page.count() > 2);
    copy.child(0);
    assertArrayEquals(image, encoded(copy));
  }

  @Test
  void onlyPointersToPagesThatAreNotThereAreForgotten_andEachIsCounted() {
    Page page = loaded();
    int bytes = page.heapBytes();
    PageRef there = page.child(0);
    PageRef gone = page.child(1);
    store.load(there);
    assertEquals(bytes + 2 * 64, page.heapBytes());
    page.forgetChildren(child -> false);
    assertSame(gone, page.childIfMade(1));
    page.forgetChildren(child -> true);
    assertSame(there, page.childIfMade(0));
    assertNull(page.childIfMade(1));
    assertEquals(bytes + 64, page.heapBytes());
    assertNotSame(gone, page.child(1));
    assertTrue(gone.samePageAs(page.child(1)));
  }

  /** A copy may have pointers that are nowhere else. */
  @Test
  void aPageThatMayChangeForgetsNone() {
    Page copy = loaded().copy(new Edition());
    PageRef child = copy.child(1);
    copy.forgetChildren(any -> true);
    assertSame(child, copy.childIfMade(1));
  }

  @Test
  void threadsThatAskAtOnceGetTheSame() {
    CyclicBarrier begin = new CyclicBarrier(2);
    for (int race = 0; race < RACES; race++) {
      Page page = loaded();
      List<CompletableFuture<PageRef>> asked = new ArrayList<>();
      for (int thread = 0; thread < 2; thread++) {
        asked.add(
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    begin.await();
                  } catch (Exception broken) {
                    throw new IllegalStateException(broken);
                  }
                  return page.child(1);
                },
                each -> Thread.ofVirtual().start(each)));
      }
      assertSame(asked.getFirst().join(), asked.getLast().join());
      assertSame(page.child(1), asked.getFirst().join());
    }
  }
}
