package dev.upcall.guard;

import dev.upcall.StorePath;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules by the names of their paths: a decision costs a look for each name of the path at most. */
final class RuleTree {
  private final Map<String, RuleTree> below = new LinkedHashMap<>();
  private final Map<Right, Who> here = new EnumMap<>(Right.class);

  /** Adds a rule; those of one path and right together are for the callers of each. */
  void add(Right right, StorePath path, Who who) {
    RuleTree at = this;
    for (String name : path.names()) {
      at = at.below.computeIfAbsent(name, _ -> new RuleTree());
    }
    at.here.merge(right, who, Who::and);
  }

  /** The callers that the rule with the longest path is for. */
  Who of(Right right, StorePath path) {
    RuleTree at = this;
    Who who = at.here.getOrDefault(right, Who.NOBODY);
    for (String name : path.names()) {
      at = at.below.get(name);
      if (at == null) {
        return who;
      }
      who = at.here.getOrDefault(right, who);
    }
    return who;
  }

  /** Whether no rule lies below a path. */
  boolean isUniformBelow(StorePath path) {
    @Nullable RuleTree at = this;
    for (String name : path.names()) {
      at = at.below.get(name);
      if (at == null) {
        return true;
      }
    }
    return at.below.isEmpty();
  }
}
