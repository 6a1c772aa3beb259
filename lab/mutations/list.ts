import type { Mutation } from './mutation.ts';

const features = 'server/src/features';

/** A mutation in the list of its kind. */
type ListedMutation = Omit<Mutation, 'kind'>;

/** Rules that the server enforces for everyone. */
const serverRules: ListedMutation[] = [
  {
    name: 'lets people join who are 17',
    file: 'contract/src/constants.ts',
    find: 'minimumAgeYears = 18',
    replace: 'minimumAgeYears = 17',
    tests: [`${features}/profiles/birth-date.test.ts`],
  },
  {
    name: "deals cards of people who don't look for the viewer's gender",
    file: 'server/sql/discovery.sql',
    find: '(select bit_or(logic.gender_bit(word)) from unnest(f.seeking) word)',
    replace: '7',
    tests: [`${features}/discovery/cards.test.ts`],
  },
  {
    name: 'shows a blocked member to the member who blocked them',
    file: `${features}/profiles/reads.ts`,
    find: '((${one}, ${other}), (${other}, ${one}))',
    replace: '((${one}, ${other}))',
    tests: [`${features}/connections/blocks.test.ts`],
  },
  {
    name: 'makes no match of two likes',
    file: `${features}/connections/like.policy.ts`,
    find: "if (back === 'like') return 'match';",
    replace: '',
    tests: [`${features}/connections/likes.test.ts`],
  },
  {
    name: 'gives free members one like more a day',
    file: `${features}/connections/like-count.ts`,
    find: 'c.sent < ${limit}::int',
    replace: 'c.sent <= ${limit}::int',
    tests: [`${features}/connections/limits.test.ts`],
  },
  {
    name: 'undoes any decision without premium',
    file: `${features}/connections/undo.ts`,
    find: 'isLast && (await isUnused(',
    replace: '(await isUnused(',
    tests: [`${features}/connections/undo.test.ts`],
  },
  {
    name: 'stores a message twice that is sent again with its id',
    file: `${features}/messages/send.ts`,
    find: '${ownId}, ${client_id},',
    replace: '${ownId}, ${client_id}::text || ${last_seq},',
    tests: [`${features}/messages/messages.test.ts`],
  },
  {
    name: "counts the member's own messages as unread",
    file: `${features}/messages/reads.ts`,
    find: ' and m.sender_id = ${senderId}',
    replace: '',
    tests: [`${features}/messages/messages.test.ts`],
  },
  {
    name: 'repeats the last row of a page on the next one',
    file: 'server/src/platform/db/page-cursor.ts',
    find: '(${at}, ${id}) < (',
    replace: '(${at}, ${id}) <= (',
    tests: [`${features}/connections/matches.test.ts`],
  },
  {
    name: 'keeps leaving accounts for longer than promised',
    file: `${features}/auth/retention/retention.ts`,
    find: '-restoreDays * day',
    replace: '-2 * restoreDays * day',
    tests: ['server/test/guards/leaving/leaving.test.ts'],
  },
  {
    name: 'leaves messages out of the data export',
    file: `${features}/takeout/archive.ts`,
    find: 'jsonList(messagesData(db, accountId))',
    replace: 'jsonList((async function* () {})())',
    tests: [`${features}/takeout/likes.test.ts`],
  },
  {
    name: 'opens no case when a banned person returns',
    file: `${features}/moderation/decisions/bans.ts`,
    find: 'if (fresh.length === 0 || isStaff)',
    replace: 'if (fresh.length >= 0 || isStaff)',
    tests: [`${features}/moderation/decisions/bans.test.ts`],
  },
  {
    name: 'never ends a suspension',
    file: `${features}/moderation/decisions/sanctions.ts`,
    find: 'ended_at is null and revoked_at is null and ends_at <= ${now}',
    replace: 'ended_at is null and revoked_at is null and ends_at is null and ends_at <= ${now}',
    tests: [`${features}/moderation/decisions/decisions.test.ts`],
  },
  {
    name: 'keeps sessions when a password is reset',
    file: `${features}/auth/password/password.ts`,
    find: 'await endSessions(tx, account.id);',
    replace: '',
    tests: [`${features}/auth/password/reset.test.ts`],
  },
  {
    name: 'keeps the session of a refresh token that was stolen',
    file: 'server/src/platform/session/rotation.ts',
    find: "await tx.deleteFrom('session').where('id', '=', session.session_id).execute();",
    replace: '',
    tests: [`${features}/auth/session/sign-in.test.ts`],
  },
  {
    name: 'accepts a code of the authenticator app twice',
    file: `${features}/auth/factors/codes.ts`,
    find: ".where('last_step', '<', String(step))",
    replace: ".where('last_step', '<=', String(step))",
    tests: [`${features}/auth/factors/totp.test.ts`],
  },
  {
    name: 'never pauses someone who guesses passwords',
    file: `${features}/auth/session/throttle.ts`,
    find: 'where a.blocked_until <= ${now} or ${isAhead}',
    replace: 'where a.blocked_until <= ${now} or true or ${isAhead}',
    tests: [`${features}/auth/session/throttle.test.ts`],
  },
  {
    name: 'keeps in a picture where it was taken',
    file: `${features}/media/decoding/decoder.ts`,
    find: 'const large = await pixels().webp(',
    replace: "const large = await pixels().withExif({ IFD3: { GPSLatitudeRef: 'N' } }).webp(",
    tests: [`${features}/media/upload.test.ts`],
  },
  {
    name: 'grants premium for less than its price',
    file: `${features}/subscriptions/invoices.ts`,
    find: 'paid.currency === currency && paid.amountMinor >= amountMinor',
    replace: 'paid.currency === currency && paid.amountMinor <= amountMinor',
    tests: [`${features}/subscriptions/requested.test.ts`],
  },
  {
    name: 'renews a subscription whose payment was refunded',
    file: `${features}/subscriptions/sync.ts`,
    find: "return isLive(status) && newest?.status === 'refunded';",
    replace: "return isLive(status) && newest?.status === 'void';",
    tests: [`${features}/subscriptions/staff.test.ts`],
  },
];

/** Checks of who may see what and act on whom. */
const accessChecks: ListedMutation[] = [
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

/** Behaviour of the screens. */
const screens: ListedMutation[] = [
  {
    name: "hides a person although the decision on them couldn't be saved",
    file: 'web/src/features/connections/decisions.ts',
    find: "? 'refused' : 'failed';",
    replace: "? 'refused' : 'refused';",
    tests: ['web/src/member/discover/DiscoverPage.deciding.test.tsx'],
  },
  {
    name: "offers no second try when a list couldn't be loaded",
    file: 'web/src/ui/feedback/PageStates.tsx',
    find: '{onRetry && !isOffline && (',
    replace: '{onRetry && isOffline && (',
    tests: ['web/src/member/people/MatchesPage.test.tsx'],
  },
  {
    name: 'shows an empty page instead of what will appear there',
    file: 'web/src/ui/feedback/PageStates.tsx',
    find: '<Text fz="1.05rem">{text}</Text>',
    replace: '',
    tests: ['web/src/member/people/MatchesPage.test.tsx'],
  },
  {
    name: 'loses the focus when a dialog closes',
    file: 'web/src/ui/feedback/Dialog.tsx',
    find: 'setTimeout(() => focusNear(opener));',
    replace: '',
    tests: ['web/src/ui/feedback/Dialog.test.tsx'],
  },
  {
    name: 'leaves the page on Back instead of closing what is open over it',
    file: 'web/src/ui/feedback/use-back-closes.ts',
    find: 'void navigate({ pathname, search, hash }, { state: overlaid, preventScrollReset: true });',
    replace: '',
    tests: ['web/src/member/discover/DiscoverPage.deciding.test.tsx'],
  },
  {
    name: 'takes letters for shortcuts while someone is typing',
    file: 'web/src/ui/keyboard/single-keys.ts',
    find: 'hasModifier || isTyping',
    replace: 'hasModifier',
    tests: ['web/src/admin/reports/ReportsPage.keys.test.tsx'],
  },
  {
    name: 'forgets what was typed when the page is reloaded',
    file: 'web/src/ui/form/drafts.ts',
    find: 'sessionStorage.setItem(prefix + name, JSON.stringify(typed));',
    replace: '',
    tests: ['web/src/member/support/NewReportPage.test.tsx'],
  },
  {
    name: 'shows no message at a field that was filled in wrongly',
    file: 'web/src/ui/form/use-form.ts',
    find: 'return error === undefined ? undefined : t(error);',
    replace: 'return undefined;',
    tests: ['web/src/member/support/NewReportPage.test.tsx'],
  },
  {
    name: 'animates cards for people who prefer less motion',
    file: 'web/src/features/discovery/deck/swipe.ts',
    find: "matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : ms",
    replace: 'ms',
    tests: ['web/src/member/discover/DiscoverPage.swipe.test.tsx'],
  },
  {
    name: 'deletes a report before it is confirmed',
    file: 'web/src/ui/feedback/Dialog.tsx',
    find: 'onConfirm, onClose, ...texts }: ConfirmDialogProps) {',
    replace: 'onConfirm, onClose, ...texts }: ConfirmDialogProps) {\n  useEffect(() => onConfirm(), []);',
    tests: ['web/src/admin/reports/ReportPage.commands.test.tsx'],
  },
];

const ofKind = (kind: Mutation['kind'], list: ListedMutation[]): Mutation[] => list.map((each) => ({ ...each, kind }));

/** All mutations; numbers start at one. */
export const mutations: Mutation[] = [
  ...ofKind('server rule', serverRules),
  ...ofKind('access check', accessChecks),
  ...ofKind('screen', screens),
];
