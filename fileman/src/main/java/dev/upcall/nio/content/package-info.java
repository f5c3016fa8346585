/**
 * The content of files that channels have open: written, cut and locked by whichever channel, alive
 * as long as one has it open, whatever becomes of its name.
 *
 * <p><b>Owns</b> the files that are open, with the regions that are locked in them.
 *
 * <p><b>Thread</b>: any platform or virtual thread; calls wait. Writers of one file take turns.
 *
 * <p><b>May use</b> what programs name of a store, and {@code nio.collected}, to which writes go
 * that need not be durable when they return. Start with {@link dev.upcall.nio.content.Content}.
 */
@NullMarked
package dev.upcall.nio.content;

import org.jspecify.annotations.NullMarked;
