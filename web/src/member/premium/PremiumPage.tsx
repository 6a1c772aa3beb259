import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { readCurrentUser, setVip, useSession } from '../../features/auth/session/session.ts';
import { HiddenLikes } from '../../features/connections/HiddenLikes.tsx';
import { likesReceivedQuery } from '../../features/connections/queries.ts';
import { Premium } from '../../features/subscriptions/buying/Premium.tsx';
import { EmptyState } from '../../ui/feedback/PageStates.tsx';
import { NarrowPage } from '../layout/NarrowPage.tsx';

/** Shows premium at once; the server's answer then decides what the account may do. */
function becomePremium() {
  setVip(true);
  void readCurrentUser().catch(() => undefined);
}

/** For members: begins with their own likes. If these can't be loaded at once, the page doesn't wait for them. */
function MemberPremium() {
  const hasPremium = useSession((session) => session.isVIP === true);
  const { data, isPending, failureCount } = useInfiniteQuery({ ...likesReceivedQuery, enabled: !hasPremium });
  const { count = 0, patterns = [] } = data?.pages.at(-1) ?? {};
  // A started purchase must not be replaced when the likes are loaded again.
  const [isReady, setReady] = useState(false);
  if (!isReady && (hasPremium || !isPending || failureCount > 0)) setReady(true);
  return (
    <Premium
      hasPremium={hasPremium}
      likes={patterns.length > 0 && <HiddenLikes count={count} patterns={patterns} />}
      isHeld={!isReady}
      onPremium={becomePremium}
    />
  );
}

/** What premium adds, and buying it. */
export function PremiumPage() {
  const isStaff = useSession((session) => session.user?.isAdmin === true);
  return (
    <NarrowPage title={t`Premium`}>
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
        <MemberPremium />
      )}
    </NarrowPage>
  );
}
