package dev.upcall.request;

import dev.upcall.FileOperation;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import java.util.List;

/**
 * An operation on files as a value: everything that decides its answer is inside. It can be made
 * once, kept, logged, and asked at any face, as often as wanted.
 *
 * <p>A request that cannot be asked cannot be made: a path that is none, or a number out of its
 * range, is {@link UpcallException.Invalid} in the constructor.
 *
 * @param <R> what it answers
 */
public sealed interface Request<R> permits Look, Change {
  /** As what it is counted and recorded. */
  FileOperation operation();

  /** The paths that it names, in their order. */
  List<StorePath> paths();

  /** Its purpose, in a few words for messages. */
  String purpose();
}
