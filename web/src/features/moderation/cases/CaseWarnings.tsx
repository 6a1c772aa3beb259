import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useMay } from '../../../api/session/permission.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { t } from '../../../ui/text/text.ts';
import { appealsQuery } from '../appeals/queries.ts';
import { addressIn } from './CaseDesk.tsx';
import { casesQuery } from './queries.ts';
import classes from './cases.module.css';

/** Says that appeals against decisions of the only reviewer have no one to review them. */
export function LoneReviewer() {
  const maySeeTeam = useMay('team.view');
  return (
    <div className={classes.warning}>
      <Notice kind="warning" isNews={false}>
        {t('Appeals need a second administrator or senior moderator: no one reviews a decision of their own.')}{' '}
        {maySeeTeam && <Link to="/team">{t('Open the team page')}</Link>}
      </Notice>
    </div>
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

/** Links to what a lead has to know about: missed deadlines, and appeals that no one may decide. In the page's head, they move nothing. */
export function CaseWarnings() {
  const maySeeTeam = useMay('team.view');
  const [cases] = useInfiniteQuery(casesQuery('breached')).data?.pages ?? [];
  const appeals = useInfiniteQuery(appealsQuery('open')).data?.pages.flatMap((page) => page.appeals) ?? [];
  const lateCases = cases?.counts.breached ?? 0;
  const lateAppeals = appeals.filter(({ isBreached }) => isBreached).length;
  return (
    <>
      {lateCases > 0 && (
        <Warning
          text={t('{count, plural, one {# overdue case} other {# overdue cases}}', { count: lateCases })}
          to={addressIn('breached')}
        />
      )}
      {lateAppeals > 0 && (
        <Warning
          text={t('{count, plural, one {# overdue appeal} other {# overdue appeals}}', { count: lateAppeals })}
          to="/appeals"
        />
      )}
      {cases?.hasSecondReviewer === false && (
        <Warning text={t('No second reviewer for appeals')} to={maySeeTeam ? '/team' : '/appeals'} />
      )}
    </>
  );
}
