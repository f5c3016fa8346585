/**
 * The closed-loop experiments: which input, which entrants, which figure.
 *
 * <p><b>Owns</b> the inputs that it makes in the scratch folder.
 *
 * <p><b>Thread</b>: the command's own.
 *
 * <p><b>May use</b> the harness, the entrants and the workers, and the store's blocking facade to
 * make inputs.
 */
@NullMarked
package dev.upcall.bench.experiment;

import org.jspecify.annotations.NullMarked;
