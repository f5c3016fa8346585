package dev.upcall.fsm;

/** Draws a machine from its declaration and the Javadoc of its states. */
final class MermaidDiagrams {
  private MermaidDiagrams() {}

  /** The Mermaid text of a state diagram, without the fence, ending in a line break. */
  static String stateDiagram(Transitions<?> transitions) {
    StringBuilder text = new StringBuilder("stateDiagram-v2\n");
    for (Enum<?> state : transitions.states()) {
      text.append("    %1$s : %1$s<br/>%2$s\n".formatted(state, StateSentences.of(state)));
    }
    text.append("    [*] --> ").append(transitions.initial().name()).append('\n');
    for (Transitions.Transition<?> move : transitions.declared()) {
      text.append("    ")
          .append(move.from().name())
          .append(" --> ")
          .append(move.to().name())
          .append(" : ")
          .append(move.event())
          .append('\n');
    }
    for (Enum<?> state : transitions.states()) {
      if (isFinal(transitions, state)) {
        text.append("    ").append(state.name()).append(" --> [*]\n");
      }
    }
    return text.toString();
  }

  /** A page about the machine: the diagram and the same as tables. */
  static String page(Transitions<?> transitions) {
    StringBuilder text = new StringBuilder();
    text.append("# ").append(transitions.machine()).append("\n\n");
    text.append("Generated from the declaration in the code; a test fails when it is stale. ");
    text.append("See `docs/hacking.md` for how to write it anew.\n\n");
    text.append("```mermaid\n").append(stateDiagram(transitions)).append("```\n\n");
    text.append("| from | event | to |\n|---|---|---|\n");
    for (Transitions.Transition<?> move : transitions.declared()) {
      text.append("| ").append(move.from().name());
      text.append(" | ").append(move.event());
      text.append(" | ").append(move.to().name()).append(" |\n");
    }
    return text.toString();
  }

  private static boolean isFinal(Transitions<?> transitions, Enum<?> state) {
    for (Transitions.Transition<?> move : transitions.declared()) {
      if (move.from() == state) {
        return false;
      }
    }
    return true;
  }
}
