export { selfiesData } from './own.reads.ts';
export { waitingSelfies } from './queue.reads.ts';
