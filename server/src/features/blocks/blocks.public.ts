export { hiddenFrom, insertBlock, insertUnlistedBlock, insertUnmatch, unblocked } from './blocks.queries.ts';
export { blocksBy } from './blocks.reads.ts';
