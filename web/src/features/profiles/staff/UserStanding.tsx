import { Stack } from '@mantine/core';
import { Link } from 'react-router';
import type { AdminUser, Measure } from '#contract/profiles/user.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';

/** What each measure is called if it ends by itself, and if it doesn't. */
const measureTexts: Record<Measure['kind'], readonly [until: string, since: string]> = {
  ban: ['Banned until {date}', 'Banned on {date}'],
  suspend: ['Suspended until {date}', 'Suspended on {date}'],
  hide_profile: ['Profile hidden until {date}', 'Profile hidden on {date}'],
  limit_messaging: ['No new conversations until {date}', 'No new conversations since {date}'],
};

function measureText({ kind, since, until }: Measure): string {
  const [ends, lasts] = measureTexts[kind];
  return t(until === null ? lasts : ends, { date: formatDate(until ?? since) });
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
        <Notice kind="info" isNews={false} action={<Link to={`/cases/${openCaseId}`}>{t('Open the case')}</Link>}>
          {t('A case about them is open.')}
        </Notice>
      )}
    </Stack>
  );
}
