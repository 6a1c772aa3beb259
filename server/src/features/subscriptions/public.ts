export { stopRenewing } from './buying/change.ts';
export { premiumData } from './reads.ts';
