package dev.upcall.request.codec;

import dev.upcall.Existence;
import java.util.List;

/** The numbers of the form, which never change their meaning. */
final class RequestForm {
  /** The first byte of a submission: the version that is written, and the only one that is read. */
  static final int VERSION = 1;

  static final int PUT = 1;
  static final int CREATE_DIRECTORY = 2;
  static final int SYMBOLIC_LINK = 3;
  static final int DELETE = 4;
  static final int DELETE_TREE = 5;
  static final int RENAME = 6;
  static final int CLONE = 7;
  static final int SPLICE = 8;
  static final int COPY_RANGE = 9;
  static final int SET_METADATA = 10;
  static final int SET_PROPERTY = 11;
  static final int REMOVE_PROPERTY = 12;
  static final int WRITE = 13;
  static final int APPEND = 14;
  static final int BATCH = 15;
  static final int CREATE_TABLE = 16;
  static final int PUT_ENTRY = 17;
  static final int REMOVE_ENTRY = 18;
  static final int REMOVE_RANGE = 19;
  static final int PUT_VALUE = 20;

  /** Flags of a request. */
  static final int PARENTS = 1;

  static final int NO_FOLLOW = 2;
  static final int OVERWRITE = 4;

  /** Below these flags of a condition is its existence. */
  static final int DIRECTORY = 4;

  static final int ANY_OF = 8;
  static final int NONE_OF = 16;
  static final int UNMODIFIED = 32;

  /** By their number. */
  static final List<Existence> EXISTENCES =
      List.of(Existence.ANY, Existence.MUST_EXIST, Existence.MUST_NOT_EXIST);

  /** Flags of metadata. */
  static final int MODE = 1;

  static final int OWNER = 2;
  static final int CREATED = 4;
  static final int MODIFIED = 8;
  static final int EXPIRY = 16;
  static final int ATTRIBUTES = 32;

  /** Flags of a range of keys. */
  static final int FROM = 1;

  static final int BELOW = 2;

  /** The expectation of an entry. */
  static final int ANY_ENTRY = 0;

  static final int NO_ENTRY = 1;
  static final int SOME_ENTRY = 2;
  static final int ENTRY_VALUE = 3;

  static final int NEVER = 0;
  static final int AT = 1;
  static final int AFTER = 2;

  /** Bits of a number in each of its bytes; the highest says that more follow. */
  static final int BITS = 7;

  static final int MORE = 1 << BITS;

  private RequestForm() {}
}
