import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { setVip, useSession } from '../../features/auth/session/session.ts';
import { readCurrentUser } from '../../features/auth/session/current-user.ts';
import { Premium } from '../../features/subscriptions/buying/Premium.tsx';
import { EmptyState } from '../../ui/feedback/PageStates.tsx';
import { useText } from '../../ui/text/text.ts';
import { NarrowPage } from '../layout/NarrowPage.tsx';

/** Drawn at once; what the account may do follows the server's answer. */
function becomePremium() {
  setVip(true);
  void readCurrentUser().catch(() => undefined);
}

/** What premium adds, and the way to it. */
export function PremiumPage() {
  const t = useText();
  const isStaff = useSession((session) => session.user?.isAdmin === true);
  return (
    <NarrowPage
      title={t('Premium')}
      lead={t(
        'Heartwood is free to use, and good without premium. Premium gives you more room to look around, and keeps the house standing.',
      )}
    >
      {isStaff ? (
        <>
          <EmptyState isFramed text={t('Premium is for members. Staff accounts have none.')} />
          <p>
            <Button component={Link} to="/dashboard" variant="default">
              {t('To the dashboard')}
            </Button>
          </p>
        </>
      ) : (
        <Premium onPremium={becomePremium} />
      )}
    </NarrowPage>
  );
}
