export { reportsFiledBy } from './reports/takeout.reads.ts';
