package dev.upcall.feed.replay;

import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.fsm.record.NameNumbers;
import dev.upcall.journal.trace.TraceRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A name for each number of a recording: as long as the one that it stands for where so short a
 * name is still to be had, and not in the same order.
 */
final class InventedNames {
  private final Map<Long, String> names = new HashMap<>();
  private final Set<String> taken = new HashSet<>();

  /** The name that a NAME tells. */
  String name(TraceRecord part) {
    return part.number() == NameNumbers.NONE
        ? ".".repeat(part.from())
        : names.computeIfAbsent(part.number(), _ -> invent(part));
  }

  /** A path of such names. */
  static StorePath path(long directoryId, List<String> names) {
    return UpcallException.value(StorePath.parse(directoryId, String.join("/", names)));
  }

  private String invent(TraceRecord part) {
    String digits = Long.toUnsignedString(part.number(), Character.MAX_RADIX);
    int length = part.from();
    String name = digits.substring(0, Math.min(length, digits.length()));
    name += "x".repeat(length - name.length());
    for (int next = 0; !taken.add(name); next++) {
      String number = Integer.toString(next, Character.MAX_RADIX);
      name = name.substring(0, Math.max(0, length - number.length())) + number;
    }
    return name;
  }
}
