/** The product's automatic rules, as the simulation of a scam uses them: the only file of it that imports the product. */
export { matches } from '../../server/src/features/moderation/automatic/policy.ts';
export { printsOf } from '../../server/src/features/moderation/automatic/prints.ts';
export { cautionFor } from '../../server/src/features/messages/public.ts';
