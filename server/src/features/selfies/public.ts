export { selfiesData } from './own.reads.ts';
