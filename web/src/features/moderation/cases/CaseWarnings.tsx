import { plural, t } from '@lingui/core/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Box, Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { lateCountMost } from '#contract/moderation/case-list.ts';
import { useMay } from '../../../api/session/permission.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { addressIn, casesQuery } from './queries.ts';

/** Warns that no one can review appeals against decisions of the only reviewer. */
export function LoneReviewer() {
  const maySeeTeam = useMay('team.view');
  return (
    <Box mb="0.75rem">
      <Notice kind="warning" isNews={false}>
        {t`Appeals need a second administrator or senior moderator: no one can review their own decision.`}{' '}
        {maySeeTeam && <Link to="/team">{t`Open the team page`}</Link>}
      </Notice>
    </Box>
  );
}

function Warning({ text, to }: { text: string; to: string }) {
  return (
    <Button
      component={Link}
      to={to}
      variant="light"
      leftSection={<IconAlertTriangle size={18} stroke={1.75} aria-hidden="true" />}
    >
      {text}
    </Button>
  );
}

/** The data for `CaseWarnings`; `isPending` until it is known. */
export const useCaseWarnings = (isEnabled: boolean) =>
  useInfiniteQuery({ ...casesQuery({ view: 'breached' }), enabled: isEnabled });

/**
 * Links to problems that a lead has to know about: missed deadlines, and appeals that no one can review. Show them
 * together with what is below them, which they would otherwise push down.
 */
export function CaseWarnings({ query }: { query: ReturnType<typeof useCaseWarnings> }) {
  const maySeeTeam = useMay('team.view');
  const [cases] = query.data?.pages ?? [];
  if (cases === undefined) return null;
  const { lateAppeals, hasSecondReviewer } = cases;
  const lateCases = cases.counts.breached;
  if (lateCases === 0 && lateAppeals === 0 && hasSecondReviewer) return null;
  return (
    <Group gap="0.5rem" mb="1rem">
      {lateCases > 0 && (
        <Warning
          text={
            lateCases < lateCountMost
              ? t`${plural({ count: lateCases }, { one: '# overdue case', other: '# overdue cases' })}`
              : t`${{ count: formatNumber(lateCases) }}+ overdue cases`
          }
          to={addressIn('breached')}
        />
      )}
      {lateAppeals > 0 && (
        <Warning
          text={
            lateAppeals < lateCountMost
              ? t`${plural({ count: lateAppeals }, { one: '# overdue appeal', other: '# overdue appeals' })}`
              : t`${{ count: formatNumber(lateAppeals) }}+ overdue appeals`
          }
          to="/appeals"
        />
      )}
      {!hasSecondReviewer && (
        <Warning text={t`No second reviewer for appeals`} to={maySeeTeam ? '/team' : '/appeals'} />
      )}
    </Group>
  );
}
