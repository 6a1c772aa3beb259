import * as z from 'zod/mini';

/**
 * The parts of the service that its owner can switch off. `photos` and `voice` are those in messages, `notices` are reports by people who
 * are not members.
 */
export const partsSchema = z.object({
  dates: z.boolean(),
  voice: z.boolean(),
  photos: z.boolean(),
  people: z.boolean(),
  notices: z.boolean(),
});
/** Which parts are on. */
export type Parts = z.output<typeof partsSchema>;
export type PartName = keyof Parts;

/** The parts in the order in which they are listed. */
export const partNames = Object.keys(partsSchema.shape) as PartName[];

export const allParts: Parts = { dates: true, voice: true, photos: true, people: true, notices: true };
