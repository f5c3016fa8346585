package dev.upcall.weave;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.Map;

/** Constants behind those that a class file has; each once. */
final class Constants {
  private static final int MOST = 65_535;
  private static final int TAG_UTF8 = 1;
  private static final int TAG_CLASS = 7;
  private static final int TAG_FIELD = 9;
  private static final int TAG_METHOD = 10;
  private static final int TAG_NAME_AND_TYPE = 12;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);
  private final Map<Entry, Integer> known = new HashMap<>();
  private int count;

  /** After as many as the class file says, which is one more than there are. */
  Constants(int count) {
    this.count = count;
  }

  /** How many there are now, and one. */
  int count() {
    return count;
  }

  /** Those that were added, as a class file has them. */
  byte[] bytes() {
    return bytes.toByteArray();
  }

  int utf8(String text) {
    return add(new Entry(TAG_UTF8, text, 0, 0));
  }

  int type(ClassDesc type) {
    String descriptor = type.descriptorString();
    int name = utf8(descriptor.substring(1, descriptor.length() - 1));
    return add(new Entry(TAG_CLASS, "", name, 0));
  }

  int method(ClassDesc owner, String name, MethodTypeDesc type) {
    return member(TAG_METHOD, owner, name, type.descriptorString());
  }

  int field(ClassDesc owner, String name, ClassDesc type) {
    return member(TAG_FIELD, owner, name, type.descriptorString());
  }

  private int member(int tag, ClassDesc owner, String name, String descriptor) {
    int nameAndType = add(new Entry(TAG_NAME_AND_TYPE, "", utf8(name), utf8(descriptor)));
    return add(new Entry(tag, "", type(owner), nameAndType));
  }

  private int add(Entry entry) {
    Integer there = known.get(entry);
    if (there != null) {
      return there;
    }
    if (count > MOST - 1) {
      throw new IllegalStateException("more constants than a class file can have: " + MOST);
    }
    write(entry);
    known.put(entry, count);
    return count++;
  }

  private void write(Entry entry) {
    try {
      out.writeByte(entry.tag());
      switch (entry.tag()) {
        case TAG_UTF8 -> out.writeUTF(entry.text());
        case TAG_CLASS -> out.writeShort(entry.first());
        default -> {
          out.writeShort(entry.first());
          out.writeShort(entry.second());
        }
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException("into memory", impossible);
    }
  }

  private record Entry(int tag, String text, int first, int second) {}
}
