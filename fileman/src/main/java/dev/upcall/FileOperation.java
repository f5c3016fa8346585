package dev.upcall;

/** What can be asked of a {@link FileManager} and its handles, as it is counted. */
public enum FileOperation {
  /** {@link FileManager#stat}. */
  STAT,
  /** {@link FileManager#openRead}. */
  OPEN_READ,
  /** {@link FileManager#open}. */
  OPEN,
  /** {@link FileHandle#read}. */
  HANDLE_READ,
  /** What collects in a handle: {@link FileHandle#write}, {@link FileHandle#splice} and such. */
  HANDLE_WRITE,
  /** {@link FileHandle#flush} and {@link FileHandle#close}. */
  HANDLE_FLUSH,
  /** {@link FileManager#put}. */
  PUT_BEGIN,
  /** {@link PutHandle#append}. */
  PUT_APPEND,
  /** {@link PutHandle#commit}. */
  PUT_COMMIT,
  /** {@link FileManager#list} and {@link FileManager#names}. */
  LIST,
  /** {@link FileManager#readLink}. */
  READ_LINK,
  /** {@link FileManager#property}. */
  PROPERTY,
  /** {@link FileManager#batch}. */
  BATCH,
  /** {@link FileManager#createDirectory}. */
  CREATE_DIRECTORY,
  /** {@link FileManager#symbolicLink}. */
  SYMBOLIC_LINK,
  /** {@link FileManager#delete}. */
  DELETE,
  /** {@link FileManager#deleteTree}. */
  DELETE_TREE,
  /** {@link FileManager#rename}. */
  RENAME,
  /** {@link FileManager#cloneFile}. */
  CLONE,
  /** {@code FileRequest.Splice}. */
  SPLICE,
  /** {@code FileRequest.CopyRange}. */
  COPY_RANGE,
  /** {@link FileManager#setMetadata}. */
  SET_METADATA,
  /** {@code TableRequest.CreateTable}. */
  CREATE_TABLE,
  /** {@code TableRequest.PutEntry}. */
  PUT_ENTRY,
  /** {@code TableRequest.RemoveEntry} and {@code TableRequest.RemoveRange}. */
  REMOVE_ENTRY,
  /** {@code Look.Entry}. */
  GET_ENTRY,
  /** {@code Look.Entries}. */
  SCAN_ENTRIES,
  /** {@link FileManager#flush}. */
  FLUSH,
  /** {@link FileManager#snapshot}. */
  SNAPSHOT,
  /** {@link FileManager#createSnapshot}. */
  CREATE_SNAPSHOT,
  /** {@link FileManager#snapshots}. */
  LIST_SNAPSHOTS,
  /** {@link FileManager#dropSnapshot}. */
  DROP_SNAPSHOT,
  /** {@link FileManager#begin}. */
  TRANSACTION_BEGIN,
  /** {@link FileTransaction#commit}. */
  TRANSACTION_COMMIT;

  /** A row in tables of one process; the order of the enum never reaches a disk or a wire. */
  @SuppressWarnings("EnumOrdinal")
  public int index() {
    return ordinal();
  }
}
