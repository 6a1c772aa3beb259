export { hiddenFrom, insertBlock, unblocked } from './blocks.queries.ts';
