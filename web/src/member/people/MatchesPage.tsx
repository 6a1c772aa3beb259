import { MatchList } from '../../features/likes/MatchList.tsx';
import { useArrival } from '../../features/notifications/news.ts';
import { markKindSeen } from '../../features/notifications/seen.ts';
import { ReportLink } from '../../features/support/ReportLink.tsx';
import { useText } from '../../ui/text/text.ts';
import { MembersOnly } from '../layout/MembersOnly.tsx';
import { NarrowPage } from '../layout/NarrowPage.tsx';
import { NotYet } from '../sign-in/NotYet.tsx';

/** The people the member and who like each other. */
export function MatchesPage() {
  const t = useText();
  const arrival = useArrival('match');
  return (
    <MembersOnly title={t('Matches')}>
      <NarrowPage
        title={t('Matches')}
        lead={t('You and these people like each other. You can write to each other, free for both.')}
      >
        <MatchList
          notYet={(error) => <NotYet error={error} />}
          arrival={arrival}
          onShown={() => void markKindSeen('match')}
          reportOf={({ _id, firstName, name }) => <ReportLink user={{ _id, name: firstName ?? name }} />}
        />
      </NarrowPage>
    </MembersOnly>
  );
}
