import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { Link } from 'react-router';
import type { AdminUser, Measure } from '#contract/profiles/user.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { fill } from '../../../ui/text/i18n.ts';

/** The label of each measure if it ends by itself, and if it doesn't. */
const measureTexts: Record<Measure['kind'], readonly [until: MessageDescriptor, since: MessageDescriptor]> = {
  ban: [msg({ message: 'Banned until {date}' }), msg({ message: 'Banned on {date}' })],
  suspend: [msg({ message: 'Suspended until {date}' }), msg({ message: 'Suspended on {date}' })],
  hide_profile: [msg({ message: 'Profile hidden until {date}' }), msg({ message: 'Profile hidden on {date}' })],
  limit_messaging: [
    msg({ message: 'No new conversations until {date}' }),
    msg({ message: 'No new conversations since {date}' }),
  ],
};

function measureText({ kind, since, until }: Measure): string {
  const [ends, lasts] = measureTexts[kind];
  return fill(until === null ? lasts : ends, { date: formatDate(until ?? since) });
}

/** The measure in force on a person, and their open case; nothing if there is neither. */
export function UserStanding({ user: { measure = null, openCaseId = null } }: { user: AdminUser }) {
  if (measure === null && openCaseId === null) return null;
  return (
    <Stack gap="0.75rem" mb="1.25rem">
      {measure !== null && (
        <Notice kind="warning" isNews={false}>
          {measureText(measure)}
        </Notice>
      )}
      {openCaseId !== null && (
        <Notice kind="info" isNews={false} action={<Link to={`/cases/${openCaseId}`}>{t`Open the case`}</Link>}>
          {t`A case about them is open.`}
        </Notice>
      )}
    </Stack>
  );
}
