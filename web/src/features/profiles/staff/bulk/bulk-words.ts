import type { BulkKind, BulkSkip } from '#contract/moderation/bulk.ts';
import { t } from '../../../../ui/text/text.ts';

/** What each act is called, untranslated. */
export const bulkWords: Record<BulkKind, string> = {
  tag: 'Add tag',
  untag: 'Remove tag',
  note: 'Add note',
  notice: 'Send message',
  endSessions: 'Sign out',
};

const already: Partial<Record<BulkKind, string>> = {
  tag: '{count, plural, one {# has} other {# have}} the tag already',
  untag: '{count, plural, one {# does} other {# do}} not have the tag',
  endSessions: '{count, plural, one {# is} other {# are}} not signed in',
};

const skips: Record<Exclude<BulkSkip, 'already'>, string> = {
  notAllowed: '{count} you can’t act on, because you are involved or they rank above you',
  gone: '{count, plural, one {# account no longer exists} other {# accounts no longer exist}}',
  staff: '{count, plural, one {# is} other {# are}} on the team',
  leaving: '{count, plural, one {# is} other {# are}} deleting their account',
  inactive: '{count, plural, one {# is} other {# are}} inactive and can’t sign in',
};

/** Why some are left out, as a line of a list. */
export const skipText = (kind: BulkKind, why: BulkSkip, count: number): string =>
  t(why === 'already' ? (already[kind] ?? '{count}') : skips[why], { count });
