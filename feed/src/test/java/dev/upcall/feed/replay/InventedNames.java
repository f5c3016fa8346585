package dev.upcall.feed.replay;

import dev.upcall.StorePath;
import dev.upcall.fsm.record.Input;
import dev.upcall.journal.trace.TraceKind;
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
  private static final int MAX_NAME_BYTES = 255;

  private final Map<Long, String> names = new HashMap<>();
  private final Set<String> taken = new HashSet<>();

  /** The path that the NAMEs of a change tell. */
  StorePath path(List<TraceRecord> parts, int which) {
    return StorePath.of("/" + String.join("/", named(parts, which)));
  }

  /** A name alone. */
  String name(List<TraceRecord> parts) {
    return named(parts, parts.getFirst().to()).getFirst();
  }

  private List<String> named(List<TraceRecord> parts, int which) {
    return parts.stream()
        .filter(part -> part.kind() == TraceKind.INPUT && part.to() == which)
        .map(part -> names.computeIfAbsent(part.number(), _ -> invent(part)))
        .toList();
  }

  private String invent(TraceRecord part) {
    String digits = Long.toUnsignedString(part.number(), Character.MAX_RADIX);
    int length = Math.clamp(part.from(), 1, MAX_NAME_BYTES);
    String name = digits.substring(0, Math.min(length, digits.length()));
    name += "x".repeat(length - name.length());
    for (int next = 0; !taken.add(name); next++) {
      String number = Integer.toString(next, Character.MAX_RADIX);
      name = name.substring(0, Math.max(0, length - number.length())) + number;
    }
    return name;
  }

  /** Whether a part is one of these. */
  static boolean isName(TraceRecord part, List<String> names) {
    return TraceRecord.text(names, part.name()).equals(Input.NAME.name());
  }
}
