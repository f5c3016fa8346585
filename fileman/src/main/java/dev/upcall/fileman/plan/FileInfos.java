package dev.upcall.fileman.plan;

import dev.upcall.FileInfo;
import dev.upcall.MediaTypes;
import dev.upcall.content.Kind;
import dev.upcall.io.Disk;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.PieceMap;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** What callers get to know of inodes. */
public final class FileInfos {
  private FileInfos() {}

  /** What an inode says, under the name by which it was found. */
  public static FileInfo of(String name, Inode inode) {
    return new FileInfo(
        inode.id(),
        name,
        inode.kind(),
        inode.size(),
        inode.times(),
        inode.mode(),
        inode.owner(),
        inode.links(),
        inode.version(),
        inode.kind() == Kind.FILE ? MediaTypes.of(name, inode.attributes()) : "",
        ownAttributes(inode),
        stored(inode));
  }

  private static FileInfo.Stored stored(Inode inode) {
    if (inode.kind() != Kind.FILE || inode.size() == 0) {
      return FileInfo.Stored.NONE;
    }
    Layout layout = inode.layout();
    PieceMap pieces = layout.pieces();
    return new FileInfo.Stored(
        layout.space().placedBlocks() * Disk.BLOCK_BYTES, pieces == null ? 1 : pieces.pieceCount());
  }

  /** Copies: the store keeps inodes, and a caller's arrays may be changed against the contract. */
  private static SortedMap<String, byte[]> ownAttributes(Inode inode) {
    if (inode.attributes().isEmpty()) {
      return inode.attributes();
    }
    TreeMap<String, byte[]> copies = new TreeMap<>();
    inode.attributes().forEach((name, value) -> copies.put(name, value.clone()));
    return Collections.unmodifiableSortedMap(copies);
  }
}
