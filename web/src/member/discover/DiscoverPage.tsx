import { ActionIcon, Button } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconCards, IconKeyboard, IconLayoutGrid } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { useCurrentUser } from '../../features/auth/session/current-user.ts';
import { Deck } from '../../features/discovery/deck/Deck.tsx';
import { useDeck } from './use-deck.ts';
import { useInstallPrompt } from '../../features/installation/install-prompt.ts';
import { DecisionNotices } from '../../features/likes/DecisionNotices.tsx';
import { useDecide, useRemainingLikes, useUndo } from '../../features/likes/decisions.ts';
import { useFreshAddresses } from '../../features/media/use-fresh-addresses.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { t } from '../../ui/text/text.ts';
import { cardGrid, emptyDeck, fetchNextParts, installNotice, memberAbout, preferencesSheet } from './discover-parts.ts';
import { DiscoverDialogs, type Opened } from './DiscoverDialogs.tsx';
import { MembersOnly } from '../layout/MembersOnly.tsx';
import { NotYet } from '../sign-in/NotYet.tsx';
import { useDiscoverView } from './use-discover-view.ts';
import classes from './DiscoverPage.module.css';

function LoadingSkeleton() {
  return (
    <div className={classes.skeleton}>
      <Skeleton height="38rem" />
    </div>
  );
}

function Actions({ view, onKeys }: { view: ReturnType<typeof useDiscoverView>; onKeys: () => void }) {
  const { mayBeGrid, isGrid } = view;
  const ViewIcon = isGrid ? IconCards : IconLayoutGrid;
  return (
    <>
      {mayBeGrid && (
        <Button
          variant="default"
          leftSection={<ViewIcon size={18} stroke={1.75} aria-hidden="true" />}
          onPointerEnter={cardGrid.preload}
          onFocus={cardGrid.preload}
          onClick={() => view.showGrid(!isGrid)}
        >
          {isGrid ? t('One at a time') : t('Grid')}
        </Button>
      )}
      {!isGrid && (
        <ActionIcon
          className={classes.keys}
          variant="default"
          size="input-sm"
          aria-label={t('Keyboard shortcuts')}
          onClick={onKeys}
        >
          <IconKeyboard size={20} stroke={1.75} />
        </ActionIcon>
      )}
      <Button
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden="true" />}
        onPointerEnter={preferencesSheet.preload}
        onFocus={preferencesSheet.preload}
        onClick={() => view.openPreferences(true)}
      >
        {t('Preferences')}
      </Button>
    </>
  );
}

/** The people to decide on, one at a time or as a grid. */
function Discover() {
  useCurrentUser();
  const isVIP = useSession((session) => session.isVIP);
  const remainingLikes = useRemainingLikes();
  const decide = useDecide();
  const undoLast = useUndo();
  const deck = useDeck();
  const refreshPictures = useFreshAddresses(deck.loadedAt, deck.refresh);
  const view = useDiscoverView();
  const [opened, setOpened] = useState<Opened | null>(null);
  const { data, error } = deck.query;
  const refusal = data === undefined && error instanceof ApiError && error.status === 403 ? error : null;
  const hasCards = (data?.cards.length ?? 0) > 0;
  const isInstallable = useInstallPrompt(({ prompt }) => prompt !== null);

  useEffect(() => {
    if (hasCards) fetchNextParts();
  }, [hasCards]);

  async function undo() {
    const userId = await undoLast();
    if (userId !== null) await deck.bringBack(userId);
  }

  const shared = { onUndo: () => void undo(), onPictureFailed: refreshPictures };
  return (
    <Page title={t('Discover')} actions={<Actions view={view} onKeys={() => setOpened({ what: 'keys' })} />}>
      <DecisionNotices />
      {refusal !== null ? (
        <NotYet error={refusal} />
      ) : (
        <QueryStates
          query={deck.query}
          loadingText={t('Looking for people...')}
          skeleton={<LoadingSkeleton />}
          errorText={(text) => t("Couldn't load people: {error}", { error: text })}
        >
          {({ cards, empty }) => (
            <Suspense fallback={<LoadingSkeleton />}>
              {empty !== null ? (
                <emptyDeck.Part
                  empty={empty}
                  onWidened={deck.deal}
                  onWishes={() => view.openPreferences(true)}
                  onAgain={deck.deal}
                />
              ) : view.isGrid ? (
                <cardGrid.Part {...shared} cards={cards} onDecide={({ user }, way) => decide(user, way)} />
              ) : (
                <Deck
                  {...shared}
                  cards={cards}
                  remainingLikes={remainingLikes}
                  onDecide={({ user }, way) => decide(user, way)}
                  onNote={(card, picture) => setOpened({ what: 'note', card, picture })}
                  onWhy={(card) => setOpened({ what: 'why', card })}
                  onKeys={() => setOpened({ what: 'keys' })}
                  detailsOf={(card) => (
                    <Suspense>
                      <memberAbout.Part user={card.user} distanceFormatted={card.distanceFormatted} />
                    </Suspense>
                  )}
                />
              )}
            </Suspense>
          )}
        </QueryStates>
      )}
      {isInstallable && (
        <Suspense>
          <installNotice.Part />
        </Suspense>
      )}
      <DiscoverDialogs
        opened={opened}
        onLike={(user, words) => decide(user, 'like', words)}
        onOrder={() => {
          setOpened(null);
          view.openPreferences(true);
        }}
        onClose={() => setOpened(null)}
      />
      {view.arePreferencesOpen && (
        <Suspense>
          <preferencesSheet.Part
            isPremium={isVIP === true}
            onSaved={() => {
              view.openPreferences(false);
              deck.deal();
            }}
            onClose={() => view.openPreferences(false)}
          />
        </Suspense>
      )}
    </Page>
  );
}

/** The page on which members find each other. */
export function DiscoverPage() {
  return (
    <MembersOnly title={t('Discover')}>
      <Discover />
    </MembersOnly>
  );
}
