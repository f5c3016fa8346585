package dev.upcall.weave;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes in a class file that leave all else in its place: a call is put elsewhere with as many
 * bytes as it had, constants are added behind those that are there. So frames, lines and exception
 * tables stay true, and nothing of them is computed anew. (JVMS 25, chapter 4.)
 */
final class ClassPatch {
  private static final int CONSTANTS_AT = 8;
  private static final int DYNAMIC_CALL_BYTES = 5;
  private static final int MEMBER_HEAD_BYTES = 6;
  private static final int ATTRIBUTE_HEAD_BYTES = 6;
  private static final int CODE_HEAD_BYTES = 8;
  private static final int TAG_UTF8 = 1;

  private final ByteBuffer file;
  private final Constants constants;
  private final int[] constantOffsets;
  private final int constantsEnd;
  private final List<Integer> codeOffsets = new ArrayList<>();
  private final int attributesAt;

  /** Of a class file, which is not changed itself. */
  ClassPatch(byte[] bytes) {
    this.file = ByteBuffer.wrap(bytes.clone());
    this.constants = new Constants(u2(CONSTANTS_AT));
    this.constantOffsets = new int[constants.count()];
    this.constantsEnd = skipConstants();
    int interfaces = constantsEnd + MEMBER_HEAD_BYTES;
    int fields = interfaces + 2 + 2 * u2(interfaces);
    int methods = skipMembers(fields, new ArrayList<>());
    this.attributesAt = skipMembers(methods, codeOffsets);
  }

  /** Where the code of a method begins; -1 of one that has none. */
  int codeOffset(int method) {
    return codeOffsets.get(method);
  }

  /** Puts a call of a static method in the place of the dynamic call at an offset. */
  void call(int at, ClassDesc owner, String method, MethodTypeDesc type) {
    replace(at, Opcode.INVOKESTATIC, constants.method(owner, method, type));
  }

  /** Puts a static field in the place of the dynamic call at an offset. */
  void read(int at, ClassDesc owner, String field, ClassDesc type) {
    replace(at, Opcode.GETSTATIC, constants.field(owner, field, type));
  }

  /** The class file with its changes. */
  byte[] bytes() {
    return bytes(file.array().length, new byte[0]);
  }

  /** The same with classes that become members of its nest: the outermost class's names them. */
  byte[] bytesWithMembers(List<ClassDesc> members) {
    int nest = nestMembersAt();
    if (nest < 0) {
      ByteBuffer attribute = ByteBuffer.allocate(ATTRIBUTE_HEAD_BYTES + 2 + 2 * members.size());
      attribute.putShort((short) constants.utf8("NestMembers"));
      attribute.putInt(2 + 2 * members.size()).putShort((short) members.size());
      members.forEach(member -> attribute.putShort((short) constants.type(member)));
      add(attributesAt, 1);
      return bytes(file.array().length, attribute.array());
    }
    ByteBuffer more = ByteBuffer.allocate(2 * members.size());
    members.forEach(member -> more.putShort((short) constants.type(member)));
    int length = file.getInt(nest + 2);
    file.putInt(nest + 2, length + 2 * members.size());
    add(nest + ATTRIBUTE_HEAD_BYTES, members.size());
    return bytes(nest + ATTRIBUTE_HEAD_BYTES + length, more.array());
  }

  private void replace(int at, Opcode opcode, int constant) {
    if (file.get(at) != (byte) Opcode.INVOKEDYNAMIC.bytecode()) {
      throw new IllegalStateException("no dynamic call at offset " + at);
    }
    file.put(at, (byte) opcode.bytecode()).putShort(at + 1, (short) constant);
    for (int i = 3; i < DYNAMIC_CALL_BYTES; i++) {
      file.put(at + i, (byte) Opcode.NOP.bytecode());
    }
  }

  /** All of it, with more constants, and with what is inserted at an offset. */
  private byte[] bytes(int insertAt, byte[] inserted) {
    byte[] more = constants.bytes();
    file.putShort(CONSTANTS_AT, (short) constants.count());
    byte[] old = file.array();
    return ByteBuffer.allocate(old.length + more.length + inserted.length)
        .put(old, 0, constantsEnd)
        .put(more)
        .put(old, constantsEnd, insertAt - constantsEnd)
        .put(inserted)
        .put(old, insertAt, old.length - insertAt)
        .array();
  }

  /** Past all constants, noting where each begins. */
  private int skipConstants() {
    int at = CONSTANTS_AT + 2;
    for (int i = 1; i < constantOffsets.length; i++) {
      constantOffsets[i] = at;
      int tag = file.get(at);
      switch (tag) {
        case TAG_UTF8 -> at += 3 + u2(at + 1);
        case 3, 4, 9, 10, 11, 12, 17, 18 -> at += 5;
        case 5, 6 -> {
          at += 9;
          i++; // a long or a double takes two numbers
        }
        case 7, 8, 16, 19, 20 -> at += 3;
        case 15 -> at += 4;
        default -> throw new IllegalStateException("unknown constant " + tag + " at " + at);
      }
    }
    return at;
  }

  /** Past all fields or methods from an offset on, noting where their code begins. */
  private int skipMembers(int from, List<Integer> codes) {
    int at = from + 2;
    for (int left = u2(from); left > 0; left--) {
      int code = -1;
      int attributes = u2(at + MEMBER_HEAD_BYTES);
      at += MEMBER_HEAD_BYTES + 2;
      for (; attributes > 0; attributes--) {
        if (nameOf(at).equals("Code")) {
          code = at + ATTRIBUTE_HEAD_BYTES + CODE_HEAD_BYTES;
        }
        at += ATTRIBUTE_HEAD_BYTES + file.getInt(at + 2);
      }
      codes.add(code);
    }
    return at;
  }

  private int nestMembersAt() {
    int at = attributesAt + 2;
    for (int left = u2(attributesAt); left > 0; left--) {
      if (nameOf(at).equals("NestMembers")) {
        return at;
      }
      at += ATTRIBUTE_HEAD_BYTES + file.getInt(at + 2);
    }
    return -1;
  }

  private String nameOf(int attribute) {
    int at = constantOffsets[u2(attribute)];
    return new String(file.array(), at + 3, u2(at + 1), UTF_8);
  }

  private void add(int at, int count) {
    file.putShort(at, (short) (u2(at) + count));
  }

  private int u2(int at) {
    return Short.toUnsignedInt(file.getShort(at));
  }
}
