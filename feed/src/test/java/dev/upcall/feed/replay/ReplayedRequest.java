package dev.upcall.feed.replay;

import dev.upcall.FileContent;
import dev.upcall.FileManager;
import dev.upcall.StorePath;
import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.content.EditPolicy;
import dev.upcall.request.codec.RequestDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** A request as the flight recorder has it, with names and contents that were made up. */
final class ReplayedRequest extends RequestDecoder {
  private static final byte MADE_UP = 1;

  /** Attributes that are recorded by their number, from 1 on. */
  private static final List<String> OPTIONS =
      List.of(EditPolicy.ATTRIBUTE, Dedup.ATTRIBUTE, Compression.ATTRIBUTE);

  private final Iterator<String> names;

  /**
   * One of them.
   *
   * @param names those that stand before it
   */
  ReplayedRequest(byte[] bytes, List<String> names) {
    super(ByteBuffer.wrap(bytes));
    this.names = names.iterator();
  }

  @Override
  protected StorePath path() {
    long count = number();
    long directoryId = (count & 1) == 0 ? FileManager.ROOT_ID : number();
    List<String> own = new ArrayList<>();
    for (long i = 0; i < count / 2; i++) {
      own.add(names.next());
    }
    return InventedNames.path(directoryId, own);
  }

  @Override
  protected String target() {
    String shape = new String(take(), StandardCharsets.US_ASCII);
    return shape
        .chars()
        .mapToObj(each -> each == '*' ? names.next() : Character.toString(each))
        .collect(Collectors.joining());
  }

  @Override
  protected String text() {
    return names.next();
  }

  @Override
  protected byte[] bytes() {
    long size = number();
    return madeUp(size / 2, (size & 1) != 0);
  }

  @Override
  protected byte[] key() {
    return names.next().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  protected FileContent content() {
    return new FileContent.Bytes(bytes());
  }

  @Override
  protected void attribute(SortedMap<String, byte[]> to) {
    int option = (int) number();
    if (option == 0) {
      to.put(text(), madeUp(number(), false));
    } else {
      to.put(OPTIONS.get(option - 1), take());
    }
  }

  /** Without a zero, or of nothing else: what is all zeros becomes holes. */
  static byte[] madeUp(long size, boolean areZeros) {
    byte[] bytes = new byte[Math.toIntExact(size)];
    if (!areZeros) {
      Arrays.fill(bytes, MADE_UP);
    }
    return bytes;
  }
}
