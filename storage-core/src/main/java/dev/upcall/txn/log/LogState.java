package dev.upcall.txn.log;

import dev.upcall.txn.volume.LogPoint;

/**
 * Where a log writer continues: what a scan found, or the state of a fresh log.
 *
 * @param next where the next batch goes; everything before it is durable
 * @param lastScn the last commit in the log, or the superblock's if there is none behind it
 * @param trimmedPosition the superblock's log position: blocks from there on are in use
 * @param marked whether a mark on disk proves everything before {@code next} durable; if not, the
 *     writer writes one
 */
public record LogState(LogPoint next, long lastScn, long trimmedPosition, boolean marked) {}
