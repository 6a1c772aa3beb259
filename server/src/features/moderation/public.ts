export { reportsFiledBy } from './reports/reads.ts';
