package dev.upcall.tree;

/**
 * The right to change pages: a tree changes in place only pages that carry its present edition, and
 * a freeze or a publication takes a new one. An object and not a number, so that two trees never
 * share one.
 */
final class Edition {}
