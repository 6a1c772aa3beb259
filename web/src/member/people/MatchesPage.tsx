import { t } from '@lingui/core/macro';
import { MatchList } from '../../features/connections/MatchList.tsx';
import { markKindRead } from '../../features/notifications/queries.ts';
import { reportOf } from '../../features/moderation/own-reports/ReportLink.tsx';
import { MembersOnly, NarrowPage } from '../layout/NarrowPage.tsx';
import { NotYet } from '../sign-in/NotYet.tsx';

/** The member's matches. */
export function MatchesPage() {
  return (
    <MembersOnly title={t`Matches`}>
      <NarrowPage title={t`Matches`} back={{ to: '/app/messages', text: t`Messages` }}>
        <MatchList
          notYet={(error) => <NotYet error={error} />}
          onShown={() => void markKindRead('match')}
          reportOf={reportOf}
        />
      </NarrowPage>
    </MembersOnly>
  );
}
