package dev.upcall;

/** What a request that makes or replaces something expects to find under its name. */
public enum Existence {
  /** Make it, or replace what is there. */
  ANY,
  /** Only make it: {@code AlreadyExists} otherwise. */
  MUST_NOT_EXIST,
  /** Only replace it: {@code NotFound} otherwise. */
  MUST_EXIST
}
