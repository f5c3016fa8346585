/**
 * The memory of the flight recorder: a ring of fixed records that one thread writes and any thread
 * copies, what a record says, and the table of the names that records mention by number.
 *
 * <p><b>How to read a recording</b>, live, from any thread, without a stop of the writer:
 *
 * <pre>{@code
 * ByteBuffer copy = ByteBuffer.allocateDirect(1024 * RecordRing.RECORD_BYTES);
 * long next = 0;
 * while (goesOn) {
 *   long asked = next;
 *   next = recorder.ring().copySince(asked, copy.clear());
 *   long copied = copy.position() / RecordRing.RECORD_BYTES;
 *   long lost = next - copied - asked; // overwritten before they could be copied
 *   List<String> names = recorder.names(); // behind the copy: has all names that it mentions
 *   for (int at = 0; at < copy.position(); at += RecordRing.RECORD_BYTES) {
 *     FlightRecord.read(copy, at).describe(names);
 *   }
 * }
 * }</pre>
 *
 * <p>Records have sequence numbers from 0 in the order of their writing; the ring keeps the last
 * ones. What is written shows at the end of the writer's turn. Names are never taken back and never
 * move, so a copy of the table need only be looked at again when it has grown.
 *
 * <p>Start with {@link dev.upcall.fsm.record.FlightRecord}, which tells what each kind of record
 * means; {@link dev.upcall.fsm.record.RecordRing} tells why copying without a lock is right.
 *
 * <p><b>Owns</b> the ring and the table.
 *
 * <p><b>Thread</b>: one writer; {@code copySince}, {@code published} and {@code names} on any.
 *
 * <p><b>May use</b> {@code dev.upcall.config} and {@code dev.upcall.base}.
 */
@NullMarked
package dev.upcall.fsm.record;

import org.jspecify.annotations.NullMarked;
