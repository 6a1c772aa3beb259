export { hiddenFrom, insertBlock, insertUnlistedBlock, insertUnmatch, unblocked } from './queries.ts';
export { blocksBy } from './reads.ts';
