/**
 * How one side numbers the messages of a conversation. Its own held messages come first, so that they keep their numbers when others are
 * delivered. Those delivered since keep their place for their sender; for the other side they follow the earlier messages.
 */
export interface Numbering {
  /** How many places the side's own held messages take. */
  held: number;
  /** The `seq` of the delivered messages that keep such a place, in ascending order. */
  moved: readonly number[];
}

/** The number of the message with this `seq`, which keeps no place among the held ones; a held message has a `seq` of 0 or less. */
export const numberOf = ({ held, moved }: Numbering, seq: number): number =>
  seq + held - moved.filter((one) => one <= seq).length;

/** The `seq` of the message with this number; 0 or less for a place among the held ones. */
export const seqOf = ({ held, moved }: Numbering, number: number): number =>
  moved.reduce((seq, one) => (one <= seq ? seq + 1 : seq), number - held);
