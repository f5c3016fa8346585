package dev.upcall.fsm;

/** A state that explains itself; {@link MermaidDiagrams} writes the sentence beside it. */
public interface DescribedState {
  /** One short sentence. */
  String description();
}
