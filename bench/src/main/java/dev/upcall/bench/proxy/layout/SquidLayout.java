package dev.upcall.bench.proxy.layout;

import dev.upcall.bench.proxy.disk.Directory;
import dev.upcall.bench.proxy.disk.FileSystem;
import dev.upcall.bench.proxy.disk.Inode;
import dev.upcall.bench.proxy.trace.RequestTrace;
import java.util.Objects;

/** A file for each object; its metadata are in the proxy's memory, so only hits open files. */
final class SquidLayout implements Layout {
  private final FileSystem files;
  private final RequestTrace trace;
  private final SquidTree tree;
  private final SquidPlaces places;
  private final Inode[] inodes;
  private final Directory[] directories;
  private int nextFile;

  SquidLayout(FileSystem files, RequestTrace trace, SquidTree tree, SquidPlaces places) {
    this.files = files;
    this.trace = trace;
    this.tree = tree;
    this.places = places;
    this.inodes = new Inode[trace.objects()];
    this.directories = new Directory[trace.objects()];
  }

  @Override
  public void write(int object) {
    Directory directory = tree.at(places.directory(nextFile++, object));
    files.find(directory);
    Inode file = files.create(directory);
    files.append(directory, file, trace.sizeBytes(object));
    inodes[object] = file;
    directories[object] = directory;
  }

  @Override
  public void read(int object) {
    Directory directory = Objects.requireNonNull(directories[object]);
    Inode file = Objects.requireNonNull(inodes[object]);
    files.find(directory);
    files.find(directory, file);
    files.read(file);
  }
}
