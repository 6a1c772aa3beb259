export { hiddenFrom, insertBlock, insertUnmatch, unblocked } from './blocks.queries.ts';
export { blocksBy } from './blocks.reads.ts';
