export { datesData } from './reads.ts';
