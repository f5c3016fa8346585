package dev.upcall.txn.state;

import dev.upcall.space.Extent;
import dev.upcall.txn.StoreTree;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The stored form of a change: its steps one after the other, drawn in {@code docs/format.md}.
 * Little-endian.
 */
public final class RecordCodec {
  private static final byte PUT = 1;
  private static final byte REMOVE = 2;
  private static final byte OVERLAY_WRITE = 3;
  private static final byte OVERLAY_DROP = 4;
  private static final byte ALLOCATE = 5;
  private static final byte FREE = 6;
  private static final byte OVERLAY_COPY = 7;
  private static final int MAX_VALUE_BYTES = 1200;

  private RecordCodec() {}

  /** How many bytes the stored form takes. */
  public static long sizeBytes(List<Op> ops) {
    long bytes = 0;
    for (Op op : ops) {
      bytes +=
          switch (op) {
            case Op.Put put -> 6 + put.key().length + put.value().length;
            case Op.Remove remove -> 4 + remove.key().length;
            case Op.OverlayWrite write -> 22 + lengthOf(write);
            case Op.OverlayDrop drop -> 25;
            case Op.OverlayCopy _, Op.Allocate _, Op.Free _ -> 17;
            case Op.Unchanged _ -> 0;
          };
    }
    return bytes;
  }

  /** Writes the stored form at the buffer's position. */
  static void encode(List<Op> ops, ByteBuffer out) {
    for (Op op : ops) {
      switch (op) {
        case Op.Put put -> {
          out.put(PUT).put((byte) put.tree().number());
          out.putShort((short) put.key().length).put(put.key());
          out.putShort((short) put.value().length).put(put.value());
        }
        case Op.Remove remove -> {
          out.put(REMOVE).put((byte) remove.tree().number());
          out.putShort((short) remove.key().length).put(remove.key());
        }
        case Op.OverlayWrite write -> {
          out.put(OVERLAY_WRITE).put((byte) (write.fresh() ? 1 : 0));
          out.putLong(write.segment()).putLong(write.offset()).putInt(lengthOf(write));
          for (ByteBuffer bytes : write.bytes()) {
            out.put(bytes.duplicate());
          }
        }
        case Op.OverlayDrop drop ->
            out.put(OVERLAY_DROP).putLong(drop.segment()).putLong(drop.from()).putLong(drop.to());
        case Op.OverlayCopy copy -> out.put(OVERLAY_COPY).putLong(copy.from()).putLong(copy.to());
        case Op.Allocate allocate -> putExtent(out.put(ALLOCATE), allocate.extent());
        case Op.Free free -> putExtent(out.put(FREE), free.extent());
        case Op.Unchanged _ -> {}
      }
    }
  }

  /**
   * Reads the steps of a record; overlay writes share the buffer's memory and have no parts.
   *
   * @throws IllegalArgumentException if it is not a record
   */
  public static List<Op> decode(ByteBuffer record) {
    ByteBuffer in = record.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    List<Op> ops = new ArrayList<>();
    try {
      while (in.hasRemaining()) {
        byte code = in.get();
        ops.add(
            switch (code) {
              case PUT -> put(in);
              case REMOVE -> remove(in);
              case OVERLAY_WRITE -> overlayWrite(in);
              case OVERLAY_DROP -> overlayDrop(in);
              case OVERLAY_COPY -> overlayCopy(in);
              case ALLOCATE -> new Op.Allocate(extent(in));
              case FREE -> new Op.Free(extent(in));
              default ->
                  throw new IllegalArgumentException("unknown step " + code + " in a log record");
            });
      }
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("log record is cut short", e);
    }
    return ops;
  }

  private static int lengthOf(Op.OverlayWrite write) {
    int length = 0;
    for (ByteBuffer bytes : write.bytes()) {
      length += bytes.remaining();
    }
    return length;
  }

  private static Op.OverlayWrite overlayWrite(ByteBuffer in) {
    boolean fresh =
        switch (in.get()) {
          case 0 -> false;
          case 1 -> true;
          default -> throw new IllegalArgumentException("unknown kind of write in a log record");
        };
    long segment = in.getLong();
    long offset = in.getLong();
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("write of " + length + " bytes in a log record");
    }
    if (offset < 0 || offset > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException("write at " + offset + " in a log record");
    }
    ByteBuffer bytes = in.slice(in.position(), length);
    in.position(in.position() + length);
    return new Op.OverlayWrite(segment, offset, List.of(bytes), fresh, List.of());
  }

  private static Op.OverlayDrop overlayDrop(ByteBuffer in) {
    long segment = in.getLong();
    long from = in.getLong();
    long to = in.getLong();
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("blocks " + from + " to " + to + " in a log record");
    }
    return new Op.OverlayDrop(segment, from, to);
  }

  private static Op.OverlayCopy overlayCopy(ByteBuffer in) {
    long from = in.getLong();
    long to = in.getLong();
    if (from == to) {
      throw new IllegalArgumentException("segment " + from + " onto itself in a log record");
    }
    return new Op.OverlayCopy(from, to);
  }

  private static void putExtent(ByteBuffer out, Extent extent) {
    out.putLong(extent.block()).putLong(extent.blocks());
  }

  private static Extent extent(ByteBuffer in) {
    long block = in.getLong();
    long blocks = in.getLong();
    if (block < 0 || blocks <= 0 || block > Long.MAX_VALUE - blocks) {
      throw new IllegalArgumentException(
          "extent of " + blocks + " blocks at " + block + " in a log record");
    }
    return new Extent(block, blocks);
  }

  private static Op.Put put(ByteBuffer in) {
    StoreTree tree = tree(in);
    return new Op.Put(tree, key(tree, in), bytes(in, MAX_VALUE_BYTES));
  }

  private static Op.Remove remove(ByteBuffer in) {
    StoreTree tree = tree(in);
    return new Op.Remove(tree, key(tree, in));
  }

  private static StoreTree tree(ByteBuffer in) {
    StoreTree tree = StoreTree.of(in.get());
    if (!tree.isFrozen()) {
      throw new IllegalArgumentException(
          "an entry of tree %d in a log record".formatted(tree.number()));
    }
    return tree;
  }

  /** A key as the tree has them. */
  private static byte[] key(StoreTree tree, ByteBuffer in) {
    byte[] key = bytes(in, StoreTree.KeyForm.MAX_BYTES);
    if (!tree.keyForm().fits(key)) {
      throw new IllegalArgumentException(
          "key of %d bytes for tree %d in a log record".formatted(key.length, tree.number()));
    }
    return key;
  }

  private static byte[] bytes(ByteBuffer in, int limit) {
    int length = Short.toUnsignedInt(in.getShort());
    if (length > limit) {
      throw new IllegalArgumentException("entry of " + length + " bytes in a log record");
    }
    if (length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
