export { appealsBy } from './appeals/own.reads.ts';
export { reportsFiledBy } from './reports/reads.ts';
