package dev.upcall.fsm.record;

/**
 * What a record of the kind INPUT says of a call, so that it can be asked again: its shape, not its
 * names and contents. Those of a call stand right behind its REQUEST, the last of them {@link
 * #ASKED} or, of a call that cannot be asked again, none is.
 *
 * <table>
 * <caption>What the fields mean</caption>
 * <tr><th>which<th>from<th>to<th>number<th>extra<th>more
 * <tr><td>STORE<td>{@link #VERSION} (a count)<td><td>memory in bytes<td>newest commit<td>cap in
 *     bytes
 * <tr><td>NAME<td>its bytes (a count)<td>1 of a name behind which a listing begins, else 0 (a count)
 *     <td>the name<td><td>
 * <tr><td>CHANGE<td>bytes of it here (a count)<td>1 where more follow, else 0 (a count)<td>its bytes
 *     0 to 7, the lowest first<td>8 to 15<td>16 to 23
 * <tr><td>ASKED<td>durability, or direction of names<td><td>changes, entries, or which put<td>bytes, or
 *     the directory in which the path begins<td>flags
 * <tr><td>PUT<td><td><td>which<td><td>
 * <tr><td>ABANDON<td><td><td>which put<td><td>
 * <tr><td>OPENED<td><td><td>which content<td><td>
 * <tr><td>READ<td><td><td>which content<td>first byte<td>bytes at most
 * <tr><td>TRY_READ<td><td><td>which content<td>first byte<td>bytes at most
 * <tr><td>CLOSED<td><td><td>which content<td><td>
 * </table>
 *
 * <p>A NAME's number stands for a name ({@link NameNumbers}); {@code .} and {@code ..} have none. A
 * change stands behind its names, as a {@code RequestEncoder} writes it that leaves names out and
 * has lengths for contents.
 */
public enum Input {
  /** The recording of inputs begins, on a store like this. */
  STORE,
  /** A name on the way to what a call is about. */
  NAME,
  /**
   * One change of those that a call asks for, or the next bytes of it; its names stand before it.
   */
  CHANGE,
  /** The call is told in full; its name is the verb of its REQUEST. */
  ASKED,
  /** A put has begun. */
  PUT,
  /** A put was given up. */
  ABANDON,
  /** Content was opened for reading. */
  OPENED,
  /** Content is read. */
  READ,
  /** Content is read if it is in memory; if not, nothing comes of it. */
  TRY_READ,
  /** Content was closed. */
  CLOSED;

  /** The version of this form. */
  public static final int VERSION = 2;

  /** How many bytes of a change one record has. */
  public static final int CHANGE_BYTES = 3 * Long.BYTES;

  /** Of {@code more}: a symbolic link under the name is not followed. */
  public static final int NO_FOLLOW = 1;

  /** Of {@code more}: there are bytes, and all of them are zero. */
  public static final int ZEROS = 2;

  /** Its place behind the first one's name. */
  @SuppressWarnings("EnumOrdinal") // names are recorded, numbers are not
  public int index() {
    return ordinal();
  }
}
