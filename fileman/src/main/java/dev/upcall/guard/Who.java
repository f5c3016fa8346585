package dev.upcall.guard;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * Callers that a rule is for.
 *
 * @param anyone everybody
 * @param known everybody whose name is known
 * @param names and these
 */
record Who(boolean anyone, boolean known, Set<String> names) {
  /** No caller. */
  static final Who NOBODY = new Who(false, false, Collections.emptySortedSet());

  /** The callers of both. */
  Who and(Who other) {
    Set<String> all = new TreeSet<>(names);
    all.addAll(other.names);
    return new Who(anyone || other.anyone, known || other.known, all);
  }

  boolean has(Caller caller) {
    return anyone || (!caller.isAnonymous() && (known || names.contains(caller.name())));
  }
}
