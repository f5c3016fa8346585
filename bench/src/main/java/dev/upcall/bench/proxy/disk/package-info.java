/**
 * A file system that is counted and not used: the fast file system of the paper's machine as far as
 * it decides which blocks go to the disk. Pages in memory, names, inodes, directories, allocation
 * in cylinder groups, and what each request to the disk takes.
 *
 * <p><b>Owns</b> one run's memory and disk.
 *
 * <p><b>Thread</b>: any one, one at a time.
 *
 * <p><b>May use</b> the drive model, the store's measures of block traffic. Start at {@link
 * dev.upcall.bench.proxy.disk.FileSystem}.
 */
@NullMarked
package dev.upcall.bench.proxy.disk;

import org.jspecify.annotations.NullMarked;
