import type { ListedMutation } from './mutation.ts';

const features = 'server/src/features';

/** Who may see what, and act on whom. */
export const accessChecks: ListedMutation[] = [
  {
    name: 'opens every call of staff to every role',
    file: 'server/src/platform/http/mount.ts',
    find: 'if (may(caller.staffRole, endpoint.access)) return;',
    replace: 'if (may(caller.staffRole, endpoint.access) || caller.staffRole !== null) return;',
    tests: [`${features}/moderation/audit.test.ts`],
  },
  {
    name: 'lets moderators suspend for more than a week',
    file: `${features}/moderation/decisions/policy.ts`,
    find: '<= moderatorSuspensionDays',
    replace: '<= 2 * moderatorSuspensionDays',
    tests: [`${features}/moderation/decisions/policy.test.ts`],
  },
  {
    name: 'lets administrators act on an owner',
    file: 'server/src/platform/session/parties.policy.ts',
    find: ' && !outranks(person.staff_role, staffRole)',
    replace: '',
    tests: [`${features}/auth/session/ending.test.ts`],
  },
  {
    name: 'shows staff the case about themselves',
    file: `${features}/moderation/cases/case-row.ts`,
    find: 'where own.id = ${person_id}::uuid',
    replace: 'where own.id = ${person_id}::uuid and false',
    tests: [`${features}/moderation/cases/cases.test.ts`],
  },
  {
    name: 'shows internal notes to the reporter',
    file: `${features}/moderation/reports/reads.ts`,
    find: "if (!isStaff) query = query.where('is_internal', '=', false);",
    replace: '',
    tests: [`${features}/moderation/reports/replies.test.ts`],
  },
  {
    name: 'opens conversations to members who are not in them',
    file: `${features}/messages/conversation.ts`,
    find: ' and ${accountId}::uuid in (c.low_id, c.high_id)',
    replace: '',
    tests: [`${features}/messages/messages.test.ts`],
  },
  {
    name: 'serves pictures of hidden members',
    file: `${features}/media/reads.ts`,
    find: ' and ${visibleTo(sql`v.id`, sql`p.account_id`)}',
    replace: '',
    tests: [`${features}/media/serving.test.ts`],
  },
  {
    name: "shows members each other's subscriptions",
    file: `${features}/subscriptions/routes.ts`,
    find: ' || (!isStaff && found.accountId !== caller.accountId)',
    replace: '',
    tests: [`${features}/subscriptions/staff.test.ts`],
  },
  {
    name: 'signs a deactivated member in',
    file: `${features}/auth/session/sign-in.ts`,
    find: 'account.is_active && account.leaving_since === null',
    replace: 'account.leaving_since === null',
    tests: [`${features}/auth/session/sign-in.test.ts`],
  },
  {
    name: 'puts the sockets of members in the room of staff',
    file: 'server/src/platform/realtime/rooms.ts',
    find: '...(isStaff ? [staffRoom] : [])',
    replace: '...(isStaff ? [staffRoom] : [staffRoom])',
    tests: ['server/src/platform/realtime/realtime.test.ts'],
  },
];
