package dev.upcall.bench.ecommerce.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What is wrong with a page is found, wherever it is. */
class PageContentTest {
  private final PageContent content = new PageContent();

  private ByteBuffer page(long page, int version) {
    ByteBuffer bytes = ByteBuffer.allocate(PageContent.BYTES);
    content.put(page, version, bytes);
    assertEquals(PageContent.BYTES, bytes.position());
    return bytes.flip();
  }

  @Test
  void whatWasPutIsRight() {
    for (long page : new long[] {0, 1, 36_000, 1L << 40}) {
      assertNull(content.wrong(page, page(page, 3), 3, 3));
      assertNull(content.wrong(page, page(page, 3), 1, 5));
    }
  }

  @Test
  void everyByteCounts() {
    for (int at = 0; at < PageContent.BYTES; at += 5) {
      ByteBuffer bytes = page(7, 1);
      bytes.put(at, (byte) (bytes.get(at) ^ 1));
      assertNotNull(content.wrong(7, bytes, 1, 1), "byte " + at);
    }
    assertNotNull(content.wrong(0, ByteBuffer.allocate(PageContent.BYTES), 0, 0), "zeros");
  }

  @Test
  void anotherPageAndAnotherTimeAreFound() {
    assertEquals(
        "page 8 was read where page 7 is", content.wrong(7, page(8, 1), 0, Integer.MAX_VALUE));
    assertEquals(
        "page 7 was read as change 1 left it, not as one from 2 to 4 did",
        content.wrong(7, page(7, 1), 2, 4));
    assertNotNull(content.wrong(7, page(7, 5), 2, 4));
  }
}
