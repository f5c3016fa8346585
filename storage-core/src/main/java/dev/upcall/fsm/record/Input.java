package dev.upcall.fsm.record;

/**
 * What a record of the kind INPUT says of a call, so that it can be asked again: its shape, not its
 * names and contents. Those of a call stand right behind its REQUEST, the last of them {@link
 * #ASKED} or, of a call that cannot be asked again, none is.
 *
 * <table>
 * <caption>What the fields mean</caption>
 * <tr><th>which<th>from<th>to<th>number<th>extra<th>more
 * <tr><td>STORE<td><td><td>memory in bytes<td>newest commit<td>cap in bytes
 * <tr><td>NAME<td>its bytes (a count)<td>0 of the first path, 1 of the second (a count)<td>the path
 *     up to it<td><td>
 * <tr><td>RANGE<td><td><td>first byte<td>bytes that go<td>
 * <tr><td>CHANGE<td>kind of change<td>existence that it wants<td>bytes of content<td><td>flags
 * <tr><td>ASKED<td>durability, or direction of names<td>existence that is wanted<td>changes, entries, or which put
 *     <td>bytes<td>flags
 * <tr><td>PUT<td><td><td>which<td><td>
 * <tr><td>ABANDON<td><td><td>which put<td><td>
 * <tr><td>OPENED<td><td><td>which content<td><td>
 * <tr><td>READ<td><td><td>which content<td>first byte<td>bytes at most
 * <tr><td>TRY_READ<td><td><td>which content<td>first byte<td>bytes at most
 * <tr><td>CLOSED<td><td><td>which content<td><td>
 * </table>
 *
 * <p>A NAME's number stands for all names from the root to it ({@link NameNumbers}); the root
 * itself has none.
 */
public enum Input {
  /** The recording of inputs begins, on a store like this. */
  STORE,
  /** A name on the way to what a call is about. */
  NAME,
  /** The range that the next CHANGE is about; of a copy first the source's, then the target's. */
  RANGE,
  /** One change of those that a call asks for; its names stand before it. */
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

  /** Of {@code more}: missing parents are made. */
  public static final int PARENTS = 1;

  /** Of {@code more}: a symbolic link under the name is not followed. */
  public static final int NO_FOLLOW = 2;

  /** Of {@code more}: there was more to it than a recording has room for. */
  public static final int NOT_ALL = 4;

  /** Of {@code more}: there are bytes, and all of them are zero. */
  public static final int ZEROS = 8;

  /** Of {@code more}: what comes lies over what is there. */
  public static final int OVER = 16;

  /** Its place behind the first one's name. */
  @SuppressWarnings("EnumOrdinal") // names are recorded, numbers are not
  public int index() {
    return ordinal();
  }
}
