import type { Feature } from '../../feature.ts';
import { auditSealJobs, mountAuditSeals } from './audit/audit-seals.ts';
import { auditJob, mountAudit } from './audit/audit.ts';
import { drawJob } from './second-looks/draw.ts';
import { mountSecondLooks } from './second-looks/routes.ts';
import { mountTeam } from './audit/team.ts';
import { mountTransparency, transparencyJobs } from './transparency/routes.ts';

/** The supervision of staff: the audit trail, the team and second looks. */
export const feature: Feature = {
  routes: [mountAudit, mountAuditSeals, mountTeam, mountTransparency, mountSecondLooks],
  jobs: [auditJob, ...auditSealJobs, ...transparencyJobs, drawJob],
};
