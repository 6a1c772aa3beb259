/** The product's automatic rules for the simulated scam. No other file of the simulation imports the product. */
export { matches } from '../../server/src/features/moderation/automatic/policy.ts';
export { printsOf } from '../../server/src/features/moderation/automatic/prints.ts';
export { cautionFor } from '../../server/src/features/messages/public.ts';
