package dev.upcall.io.schedule;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import java.util.List;
import java.util.SequencedMap;

/**
 * Which policy schedules the requests of a store, with its knobs: {@link #parse} reads what people
 * write of it, and {@link Object#toString} is that, with all knobs.
 */
public interface IoPolicyConfig {
  /**
   * Reads a policy and its knobs: {@code flat}, {@code fair,depth=32,maxrest=8ms}.
   *
   * @throws IllegalArgumentException if there is no such policy, it has no such knob, or the value
   *     is out of its range; the message says which there are
   */
  static IoPolicyConfig parse(String text) {
    // Every opening reads the standard one: the table of knobs and its patterns stay out of its
    // way.
    return text.equals(SharePolicyConfig.FAIR.policy())
        ? SharePolicyConfig.FAIR
        : PolicyKnobs.parse(text);
  }

  /** The policy's name for people: {@code fair}. */
  String policy();

  /** Its knobs by the names that people write, but for what is merged. */
  SequencedMap<String, Knob> knobs();

  /** Counts that people may say besides, because several knobs follow from them. */
  default List<String> shorthands() {
    return List.of();
  }

  /** Which requests become one. */
  MergeConfig merging();

  /**
   * The same policy with other knobs.
   *
   * @param said over {@link #knobs}
   * @throws IllegalArgumentException if one is out of its range
   */
  IoPolicyConfig with(KnobValues said, MergeConfig merges);

  /** The policy, with nothing in it. */
  SchedulingPolicy newPolicy(Dispatcher dispatcher);

  /** Whether it takes requests as they come, overlapping ones too, unless it is told to merge. */
  default boolean isUnmerged() {
    return false;
  }

  /** A disk with this policy in front of it. */
  default Disk over(Disk device, Dispatcher dispatcher) {
    SchedulingPolicy made = newPolicy(dispatcher);
    return merging().maxBytes() == 0 && isUnmerged()
        ? new IoScheduler(device, dispatcher, made)
        : new IoScheduler(device, dispatcher, made, merging());
  }
}
