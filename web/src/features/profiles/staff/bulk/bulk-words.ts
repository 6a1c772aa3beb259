import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { BulkKind, BulkSkip } from '#contract/moderation/bulk.ts';
import { fill } from '../../../../ui/text/i18n.ts';

/** The label of each act. */
export const bulkWords: Record<BulkKind, MessageDescriptor> = {
  tag: msg`Add tag`,
  untag: msg`Remove tag`,
  note: msg`Add note`,
  notice: msg`Send message`,
  takeBack: msg`Take back`,
  endSessions: msg`Sign out`,
};

const already: Partial<Record<BulkKind, MessageDescriptor>> = {
  tag: msg({ message: '{count, plural, one {# has} other {# have}} the tag already' }),
  untag: msg({ message: '{count, plural, one {# does} other {# do}} not have the tag' }),
  takeBack: msg({ message: '{count, plural, one {# has} other {# have}} read it already' }),
  endSessions: msg({ message: '{count, plural, one {# is} other {# are}} not signed in' }),
};

const skips: Record<Exclude<BulkSkip, 'already'>, MessageDescriptor> = {
  notAllowed: msg({ message: '{count} you can’t act on, because you are involved or they rank above you' }),
  gone: msg({ message: '{count, plural, one {# account no longer exists} other {# accounts no longer exist}}' }),
  staff: msg({ message: '{count, plural, one {# is} other {# are}} on the team' }),
  leaving: msg({ message: '{count, plural, one {# is} other {# are}} deleting their account' }),
  inactive: msg({ message: '{count, plural, one {# is} other {# are}} inactive and can’t sign in' }),
};

/** Why some are left out, as a line of a list. */
export function skipText(kind: BulkKind, why: BulkSkip, count: number): string {
  const text = why === 'already' ? already[kind] : skips[why];
  return text ? fill(text, { count }) : String(count);
}
