package dev.upcall.journal.queue;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every {@link EntryQueue} does, the real one and the model. */
public abstract class EntryQueueBehaviour {
  private final List<EntryQueue> opened = new ArrayList<>();

  /** The queue of this test, opened once more. */
  protected abstract EntryQueue open() throws QueueException;

  /** A later time: what is appended from now on lies in another file. */
  protected abstract void roll();

  @AfterEach
  final void closeAll() {
    opened.forEach(EntryQueue::close);
  }

  @Test
  final void anEmptyQueueHasNothing() throws QueueException {
    EntryQueue queue = opened();
    assertNull(queue.next(EntryQueue.NONE));
    assertNull(queue.read(EntryQueue.NONE));
    assertNull(queue.read(0));
    assertNull(queue.next(4711));
    assertEquals(new EntryQueue.Bounds(Long.MAX_VALUE, EntryQueue.NONE), queue.bounds());
  }

  @Test
  final void entriesComeInTheirOrder() throws QueueException {
    EntryQueue queue = opened();
    long first = queue.append(bytes("a"));
    long second = queue.append(bytes("b"));
    roll();
    long third = queue.append(bytes("c"));
    assertTrue(EntryQueue.NONE < first && first < second && second < third);
    assertEquals(List.of("a", "b", "c"), all(queue));
    assertArrayEquals(bytes("b"), queue.read(second));
    assertArrayEquals(bytes("c"), queue.read(third));
    assertEquals(second, behind(queue, first).index());
    assertEquals(third, behind(queue, second).index());
  }

  @Test
  final void whoIsAtTheEndSeesWhatComesNext() throws QueueException {
    EntryQueue writer = opened();
    EntryQueue reader = opened();
    assertNull(reader.next(EntryQueue.NONE));
    long first = writer.append(bytes("a"));
    assertEquals(first, behind(reader, EntryQueue.NONE).index());
    assertNull(reader.next(first));
    assertNull(reader.read(first + 1));
    long second = writer.append(bytes("b"));
    assertEquals(second, behind(reader, first).index());
    assertNull(reader.next(second));
    roll();
    long third = writer.append(bytes("c"));
    assertArrayEquals(bytes("c"), behind(reader, second).bytes());
    assertNull(reader.next(third));
  }

  @Test
  final void theLargestEntryComesBack() throws QueueException {
    EntryQueue queue = opened();
    byte[] large = new byte[EntryCodec.MAX_ENTRY_BYTES];
    new Random(1).nextBytes(large);
    for (int i = 0; i < 20; i++) {
      long index = queue.append(large);
      assertArrayEquals(large, queue.read(index));
    }
    assertThrows(IllegalArgumentException.class, () -> queue.append(new byte[large.length + 1]));
    assertThrows(IllegalArgumentException.class, () -> queue.append(new byte[0]));
  }

  @Test
  final void whatIsAppendedMayBeChangedAfterwards() throws QueueException {
    EntryQueue queue = opened();
    byte[] entry = bytes("a");
    long index = queue.append(entry);
    entry[0] = 'x';
    assertArrayEquals(bytes("a"), queue.read(index));
  }

  @Test
  final void aQueueThatIsOpenedAgainHasItsEntries() throws QueueException {
    EntryQueue queue = opened();
    long first = queue.append(bytes("a"));
    queue.sync();
    queue.close();
    EntryQueue again = opened();
    assertArrayEquals(bytes("a"), again.read(first));
    assertTrue(again.append(bytes("b")) > first);
    again.sync();
    assertEquals(List.of("a", "b"), all(again));
  }

  @Test
  final void removingTakesWholeFilesFromTheBeginning() throws QueueException {
    EntryQueue queue = opened();
    EntryQueue reader = opened();
    List<Long> indexes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      indexes.add(queue.append(bytes("a" + i)));
      indexes.add(queue.append(bytes("b" + i)));
      roll();
    }
    assertEquals(indexes.getFirst(), behind(reader, EntryQueue.NONE).index());
    queue.removeBefore(EntryQueue.NONE);
    queue.removeBefore(indexes.getFirst());
    assertEquals(6, all(queue).size());
    EntryQueue.Bounds all = queue.bounds();
    assertTrue(all.first() <= indexes.getFirst() && all.last() >= indexes.getLast());
    queue.removeBefore(indexes.get(3));
    EntryQueue.Bounds less = queue.bounds();
    assertTrue(less.first() > indexes.get(1) && less.first() <= indexes.get(2));
    assertEquals(all.last(), less.last());
    assertEquals(List.of("a1", "b1", "a2", "b2"), all(queue));
    assertNull(queue.read(indexes.getFirst()));
    assertEquals(indexes.get(2), behind(queue, indexes.getFirst()).index());
    long last = queue.append(bytes("c"));
    queue.removeBefore(last);
    assertEquals(List.of("c"), all(queue));
    assertEquals(last, behind(reader, indexes.getLast()).index());
    assertEquals(List.of("c"), all(opened()));
  }

  @Test
  final void keepingSomeBytesRemovesTheOldestFiles() throws QueueException {
    EntryQueue queue = opened();
    for (int i = 0; i < 3; i++) {
      queue.append(bytes("a" + i));
      roll();
    }
    queue.append(bytes("b"));
    queue.keep(Long.MAX_VALUE);
    assertEquals(List.of("a0", "a1", "a2", "b"), all(queue));
    queue.keep(0);
    assertEquals(List.of("b"), all(queue));
    assertEquals(List.of("b"), all(opened()));
  }

  /** All of the queue from its beginning. */
  protected static List<String> all(EntryQueue queue) throws QueueException {
    List<String> entries = new ArrayList<>();
    Indexed found = queue.next(EntryQueue.NONE);
    while (found != null) {
      entries.add(new String(found.bytes(), StandardCharsets.UTF_8));
      found = queue.next(found.index());
    }
    return entries;
  }

  protected static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  protected final EntryQueue opened() throws QueueException {
    EntryQueue queue = open();
    opened.add(queue);
    return queue;
  }

  private static Indexed behind(EntryQueue queue, long index) throws QueueException {
    Indexed found = queue.next(index);
    assertNotNull(found);
    return found;
  }
}
