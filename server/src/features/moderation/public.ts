export { readAppealToken, readToken, signedToken } from './appeals/links.ts';
export { appealsBy } from './appeals/own.reads.ts';
export { countDecisions } from './cases/decision-counts.ts';
export { endedHolds } from './holds/held.reads.ts';
export { ownFile } from './own-file/own-file.reads.ts';
export { openOwnCase } from './cases/open.ts';
export { freezePlans } from './reports/evidence.ts';
export { fileReport } from './reports/file-report.ts';
export { reportsFiledBy } from './reports/reads.ts';
