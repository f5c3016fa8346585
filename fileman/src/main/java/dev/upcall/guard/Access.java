package dev.upcall.guard;

import dev.upcall.StorePath;
import java.util.Optional;

/**
 * Decides who may do what in a store. A server asks it on its own threads, possibly on several at
 * once and for most requests: methods return at once, wait for nothing and never fail.
 */
public interface Access {
  /**
   * The rules that are in force now, by which one request is judged from its beginning to its end;
   * other ones where they can be replaced.
   */
  default Access inForce() {
    return this;
  }

  /**
   * The caller that has these credentials; nothing where somebody shows what nobody has, or what
   * has expired. Of a request without credentials {@link Caller#ANONYMOUS}, for which a server need
   * not ask.
   *
   * @param epochNanos the present time, in nanoseconds since 1970
   */
  Optional<Caller> identify(Credentials shown, long epochNanos);

  /**
   * Whether a caller has a right on a path, given from the root on, whether or not there is
   * anything. The server asks for the path of the request and for each place to which symbolic
   * links lead from it.
   */
  boolean decide(Caller caller, Right right, StorePath path);

  /**
   * Whether all that lies below a directory is decided as the directory itself is, so that a
   * listing need not ask for each entry. False is always right, and slower.
   */
  default boolean isUniformBelow(StorePath directory) {
    return false;
  }
}
