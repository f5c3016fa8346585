package dev.upcall.journal.entry;

/**
 * A request as its first entry has it.
 *
 * @param request what is asked
 * @param contentAt where its contents begin in the body of that entry; they go on in the bodies of
 *     the other parts
 */
public record Submission(Request request, int contentAt) {}
