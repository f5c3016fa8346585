/**
 * Files for programs that compose: every operation answers a {@link
 * java.util.concurrent.CompletionStage}, from any thread. Contents come and go also as {@link
 * java.util.concurrent.Flow.Publisher}s. Start with {@link dev.upcall.stage.StageFiles}, which
 * {@link dev.upcall.FsmUpcall#newStageFiles} gives.
 *
 * <p><b>Owns</b> nothing; what does the work is {@code dev.upcall.fileman.stage}.
 *
 * <p><b>Thread</b>: any, also at once; nothing waits.
 *
 * <p><b>May use</b> {@code dev.upcall} and the words that it uses.
 */
@NullMarked
package dev.upcall.stage;

import org.jspecify.annotations.NullMarked;
