import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { Link } from 'react-router';
import { readCurrentUser, setVip, useSession } from '../../features/auth/session/session.ts';
import { Premium } from '../../features/subscriptions/buying/Premium.tsx';
import { EmptyState } from '../../ui/feedback/PageStates.tsx';
import { NarrowPage } from '../layout/NarrowPage.tsx';

/** Shows premium at once; the server's answer then decides what the account may do. */
function becomePremium() {
  setVip(true);
  void readCurrentUser().catch(() => undefined);
}

/** What premium adds, and buying it. */
export function PremiumPage() {
  const isStaff = useSession((session) => session.user?.isAdmin === true);
  const hasPremium = useSession((session) => session.isVIP === true);
  return (
    <NarrowPage
      title={t`Premium`}
      lead={t`{brand} is free and works well without premium. Premium gives you more ways to look around, and helps keep the service running.`}
    >
      {isStaff ? (
        <>
          <EmptyState isFramed text={t`Premium is for members. Staff accounts can't have it.`} />
          <Text mt="1rem">
            <Button component={Link} to="/dashboard" variant="default">
              {t`Go to dashboard`}
            </Button>
          </Text>
        </>
      ) : (
        <Premium hasPremium={hasPremium} onPremium={becomePremium} />
      )}
    </NarrowPage>
  );
}
