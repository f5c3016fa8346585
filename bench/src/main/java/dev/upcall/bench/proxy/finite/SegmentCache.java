package dev.upcall.bench.proxy.finite;

import dev.upcall.bench.proxy.place.Packing;
import dev.upcall.bench.proxy.place.SegmentFile;
import dev.upcall.bench.proxy.place.Segments;
import dev.upcall.bench.proxy.trace.RequestTrace;
import java.util.Arrays;

/**
 * The cache under the segment rule: an object that is missed gets a free segment as long as there
 * is one, else that of an object of its own class.
 */
final class SegmentCache implements Cache {
  /** A few pieces are left when the file is full; policies differ in who gets them. */
  private static final int LEFT_OVER = 64;

  private final RequestTrace trace;
  private final SegmentFile mapped;
  private final Packing packing;
  private final Slots[] slots = new Slots[Segments.CLASSES];
  private final Replacement[] replacements;

  SegmentCache(RequestTrace trace, long fileBytes, SegmentFile mapped, PolicyKind policy) {
    this.trace = trace;
    this.mapped = mapped;
    this.packing = new Packing.Aligned(fileBytes);
    int[] most = mostSlots(trace, fileBytes);
    int[] slotOf = Slots.nowhere(trace.objects());
    Arrays.setAll(slots, i -> new Slots(most[i], slotOf));
    this.replacements = PolicyKind.make(policy, slots, most);
  }

  /** The content of a full file, by class: it is the same for all policies. */
  private static int[] mostSlots(RequestTrace trace, long fileBytes) {
    Packing packing = new Packing.Aligned(fileBytes);
    boolean[] placed = new boolean[trace.objects()];
    int[] most = new int[Segments.CLASSES];
    for (int i = 0; i < trace.length(); i++) {
      int object = trace.object(i);
      int segmentClass = Segments.classOf(trace.sizeBytes(object));
      if (!placed[object] && packing.place(segmentClass) != Packing.FULL) {
        placed[object] = true;
        most[segmentClass]++;
      }
    }
    return Arrays.stream(most).map(count -> count + LEFT_OVER).toArray();
  }

  @Override
  public boolean request(int at) {
    int object = trace.object(at);
    int segmentClass = Segments.classOf(trace.sizeBytes(object));
    Slots ofClass = slots[segmentClass];
    Replacement replacement = replacements[segmentClass];
    if (ofClass.has(object)) {
      int slot = ofClass.slot(object);
      replacement.hit(slot);
      mapped.read(ofClass.offset(slot), Segments.bytes(segmentClass));
      return true;
    }
    long offset = packing.place(segmentClass);
    if (offset != Packing.FULL) {
      replacement.added(ofClass.add(offset, object), object);
    } else if (ofClass.size() > 0) {
      int slot = replacement.victim();
      ofClass.replace(slot, object);
      replacement.replaced(slot, object);
      offset = ofClass.offset(slot);
    } else {
      return false;
    }
    mapped.write(offset, Segments.bytes(segmentClass));
    return false;
  }

  /** Where an object is in the file; negative when it is not. */
  long offset(int object) {
    Slots ofClass = slots[Segments.classOf(trace.sizeBytes(object))];
    return ofClass.has(object) ? ofClass.offset(ofClass.slot(object)) : Packing.FULL;
  }
}
