import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { staffRoleSchema } from '../staff-roles.ts';
import { timeSchema } from '../text.ts';

const teamMemberSchema = z.object({
  _id: z.string(),
  name: z.nullable(z.string()),
  /** Masked for colleagues who may not see addresses. */
  email: z.string(),
  staffRole: staffRoleSchema,
  isActive: z.boolean(),
  lastActive: z.nullable(timeSchema),
  /** Undecided cases assigned to or claimed by this colleague. */
  openCases: z.int(),
  can: z.object({ changeRole: z.boolean() }),
});

export type TeamMember = z.output<typeof teamMemberSchema>;

export const listTeam = endpoint({
  method: 'GET',
  path: '/admin/team',
  summary: 'List all staff with their roles and open cases. Roles are changed on the user.',
  access: 'team.view',
  response: answer({ data: z.object({ members: z.array(teamMemberSchema) }) }),
});
