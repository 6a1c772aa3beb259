import { Link, useSearchParams } from 'react-router';
import { DecisionNews } from '../../features/likes/DecisionNews.tsx';
import { LikesReceived } from '../../features/likes/LikesReceived.tsx';
import { LikesSent } from '../../features/likes/LikesSent.tsx';
import { useArrival } from '../../features/notifications/news.ts';
import { markKindSeen } from '../../features/notifications/seen.ts';
import type { Refusal } from '../../ui/data/ListStates.tsx';
import { useText } from '../../ui/text/text.ts';
import { MembersOnly } from '../layout/MembersOnly.tsx';
import { NarrowPage } from '../layout/NarrowPage.tsx';
import { NotYet } from '../sign-in/NotYet.tsx';
import classes from './LikesPage.module.css';

const notYet = (error: Refusal) => <NotYet error={error} />;

/** Who likes the member, and whom they like, as far as there is no answer; which of the two stands in the address. */
export function LikesPage() {
  const t = useText();
  const [params] = useSearchParams();
  const arrival = useArrival('like');
  const isSent = params.get('tab') === 'sent';
  return (
    <MembersOnly title={t('Likes')}>
      <NarrowPage title={t('Likes')}>
        <DecisionNews />
        <nav className={classes.tabs} aria-label={t('Likes')}>
          <Link to="/app/likes" className={classes.tab} aria-current={isSent ? undefined : 'page'}>
            {t('Received')}
          </Link>
          <Link to="/app/likes?tab=sent" className={classes.tab} aria-current={isSent ? 'page' : undefined}>
            {t('Sent')}
          </Link>
        </nav>
        {isSent ? (
          <LikesSent notYet={notYet} />
        ) : (
          <LikesReceived notYet={notYet} arrival={arrival} onShown={() => void markKindSeen('like')} />
        )}
      </NarrowPage>
    </MembersOnly>
  );
}
