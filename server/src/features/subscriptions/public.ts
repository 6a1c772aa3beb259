export { stopRenewing } from './buying/change.ts';
export { giveBack } from './subscriptions.ts';
export { premiumData } from './reads.ts';
