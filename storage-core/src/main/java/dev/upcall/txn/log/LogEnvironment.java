package dev.upcall.txn.log;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.txn.volume.VolumeLayout;

/**
 * Which log, and who runs it.
 *
 * @param dispatcher the owner of the log
 * @param disk the volume
 * @param layout where the log lies in it
 * @param volumeId the volume's id, which every batch repeats
 * @param faults in which ways the log is broken on purpose
 */
public record LogEnvironment(
    Dispatcher dispatcher, Disk disk, VolumeLayout layout, long volumeId, Faults faults) {}
