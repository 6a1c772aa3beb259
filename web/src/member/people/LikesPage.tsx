import { t } from '@lingui/core/macro';
import { useSearchParams } from 'react-router';
import { DecisionNotices } from '../../features/connections/DecisionNotices.tsx';
import { LikesReceived, LikesSent } from '../../features/connections/Likes.tsx';
import { markKindRead } from '../../features/notifications/queries.ts';
import type { Refusal } from '../../ui/data/InfiniteList.tsx';
import { reportOf } from '../../features/moderation/own-reports/ReportLink.tsx';
import { Tabs } from '../../ui/layout/Tabs.tsx';
import { MembersOnly, NarrowPage } from '../layout/NarrowPage.tsx';
import { NotYet } from '../sign-in/NotYet.tsx';

const notYet = (error: Refusal) => <NotYet error={error} />;

/** Likes that haven't been answered: received ones, or sent ones with `?tab=sent`. */
export function LikesPage() {
  const [params] = useSearchParams();
  const isSent = params.get('tab') === 'sent';
  return (
    <MembersOnly title={t`Likes`}>
      <NarrowPage title={t`Likes`}>
        <DecisionNotices />
        <Tabs
          label={t`Likes`}
          tabs={[
            { to: '/app/likes', text: t`Received`, isCurrent: !isSent },
            { to: '/app/likes?tab=sent', text: t`Sent`, isCurrent: isSent },
          ]}
        />
        {isSent ? (
          <LikesSent notYet={notYet} />
        ) : (
          <LikesReceived notYet={notYet} onShown={() => void markKindRead('like')} reportOf={reportOf} />
        )}
      </NarrowPage>
    </MembersOnly>
  );
}
