/**
 * Where the time of a request goes: the stages of an open, a read and a close of a small file, by
 * state machines and by threads, from stamps that the machines take themselves.
 *
 * <p><b>Owns</b> the volume that it makes in the scratch folder. Start with {@link
 * dev.upcall.bench.stages.StagesRun}, which gives a {@link dev.upcall.bench.stages.StageTable}.
 *
 * <p><b>Thread</b>: the command's own.
 *
 * <p><b>May use</b> the harness and the workers.
 */
@NullMarked
package dev.upcall.bench.stages;

import org.jspecify.annotations.NullMarked;
