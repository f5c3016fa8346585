package dev.upcall.trees;

/** What happens to files of the target that are there. Directories that are there are filled. */
public enum Present {
  /** They stay, and each is a problem. */
  KEEP,
  /** They give way, each at once and whole. */
  REPLACE
}
