package dev.upcall;

/** What happens when the last name of a path is a symbolic link; links before it are followed. */
public enum LinkPolicy {
  /** The link's target is meant. */
  FOLLOW,
  /** The link itself is meant. */
  NO_FOLLOW
}
