export { hiddenFrom, insertBlock, unblocked } from './blocks.queries.ts';
export { blocksBy } from './blocks.reads.ts';
