import { t } from '@lingui/core/macro';
import { Link, useSearchParams } from 'react-router';
import { DecisionNotices } from '../../features/connections/DecisionNotices.tsx';
import { LikesReceived, LikesSent } from '../../features/connections/Likes.tsx';
import { markKindRead } from '../../features/notifications/queries.ts';
import type { Refusal } from '../../ui/data/InfiniteList.tsx';
import { reportOf } from '../../features/moderation/own-reports/ReportLink.tsx';
import { MembersOnly, NarrowPage } from '../layout/NarrowPage.tsx';
import { NotYet } from '../sign-in/NotYet.tsx';
import classes from '../members.module.css';

const notYet = (error: Refusal) => <NotYet error={error} />;

/** Likes that haven't been answered: received ones, or sent ones with `?tab=sent`. */
export function LikesPage() {
  const [params] = useSearchParams();
  const isSent = params.get('tab') === 'sent';
  return (
    <MembersOnly title={t`Likes`}>
      <NarrowPage title={t`Likes`}>
        <DecisionNotices />
        <nav className={classes.tabs} aria-label={t`Likes`}>
          <Link to="/app/likes" preventScrollReset className={classes.tab} aria-current={isSent ? undefined : 'page'}>
            {t`Received`}
          </Link>
          <Link
            to="/app/likes?tab=sent"
            preventScrollReset
            className={classes.tab}
            aria-current={isSent ? 'page' : undefined}
          >
            {t`Sent`}
          </Link>
        </nav>
        {isSent ? (
          <LikesSent notYet={notYet} />
        ) : (
          <LikesReceived notYet={notYet} onShown={() => void markKindRead('like')} reportOf={reportOf} />
        )}
      </NarrowPage>
    </MembersOnly>
  );
}
