package dev.upcall.threads.log;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.BlockDevice;
import dev.upcall.txn.volume.VolumeLayout;

/**
 * Where a log of threads lies, and whose machines use it too.
 *
 * @param device the volume
 * @param layout where the log lies in it
 * @param volumeId the volume's id
 * @param dispatcher runs the completions of machines, and the listener
 */
public record LogVolume(
    BlockDevice device, VolumeLayout layout, long volumeId, Dispatcher dispatcher) {}
