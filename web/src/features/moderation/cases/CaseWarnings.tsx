import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useMay } from '../../../api/session/permission.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { t } from '../../../ui/text/text.ts';
import { appealsQuery } from '../appeals/queries.ts';
import { addressIn } from './CaseDesk.tsx';
import { casesQuery } from './queries.ts';
import classes from './cases.module.css';

function Warning({ text, to, link }: { text: string; to: string | null; link: string }): ReactNode {
  return (
    <div className={classes.warning}>
      <Notice kind="warning" isNews={false}>
        {text} {to !== null && <Link to={to}>{link}</Link>}
      </Notice>
    </div>
  );
}

/** Says that appeals against decisions of the only reviewer have no one to review them. */
export function LoneReviewer() {
  const maySeeTeam = useMay('team.view');
  return (
    <Warning
      text={t('Appeals need a second administrator or senior moderator: no one reviews a decision of their own.')}
      to={maySeeTeam ? '/team' : null}
      link={t('Open the team page')}
    />
  );
}

/** What a lead has to know about cases and appeals: missed deadlines, and appeals that no one may decide. */
export function CaseWarnings() {
  const [cases] = useInfiniteQuery(casesQuery('breached')).data?.pages ?? [];
  const appeals = useInfiniteQuery(appealsQuery('open')).data?.pages.flatMap((page) => page.appeals) ?? [];
  const lateCases = cases?.counts.breached ?? 0;
  const lateAppeals = appeals.filter(({ isBreached }) => isBreached).length;
  return (
    <>
      {lateCases > 0 && (
        <Warning
          text={t('{count, plural, one {# case is} other {# cases are}} past the deadline.', { count: lateCases })}
          to={addressIn('breached')}
          link={t('Open overdue cases')}
        />
      )}
      {lateAppeals > 0 && (
        <Warning
          text={t('{count, plural, one {# appeal is} other {# appeals are}} past the deadline.', {
            count: lateAppeals,
          })}
          to="/appeals"
          link={t('Open appeals')}
        />
      )}
      {cases?.hasSecondReviewer === false && <LoneReviewer />}
    </>
  );
}
