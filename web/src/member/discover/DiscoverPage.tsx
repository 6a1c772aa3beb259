import { msg, t } from '@lingui/core/macro';
import { ActionIcon, Box, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconCards, IconKeyboard, IconLayoutGrid } from '@tabler/icons-react';
import { lazy, useDeferredValue, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { keys } from '../../api/keys.ts';
import { useCached } from '../../api/query-client.ts';
import type { NewestNotification } from '../../api/realtime/newest-notification.ts';
import { useSession } from '../../features/auth/session/session.ts';
import type { CardView } from '#contract/discovery.ts';
import { Deck } from '../../features/discovery/deck/Deck.tsx';
import type { Opened } from '../../features/discovery/deck/DeckCard.tsx';
import { useInstallPrompt } from '../../features/installation/installing.ts';
import { isTurnsTime } from '../../features/messages/turns/turns-day.ts';
import type { Waiting } from '../../features/messages/turns/waiting.ts';
import { DecisionNotices } from '../../features/connections/DecisionNotices.tsx';
import { decide, undo } from '../../features/connections/decide.ts';
import { type LikeWords, useRemainingLikes } from '../../features/connections/decisions.ts';
import { useFreshAddresses } from '../../ui/data/Picture.tsx';
import type { KeyList } from '../../ui/feedback/KeysDialog.tsx';
import { KeysDialog } from '../../ui/feedback/KeysButton.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { BarActions } from '../../ui/shell/AppBar.tsx';
import { focusTitle, PageHeading } from '../../ui/layout/Page.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { preload, whenIdle } from '../../ui/loading/preload.ts';
import { MembersOnly } from '../layout/NarrowPage.tsx';
import classes from '../../features/discovery/deck/deck.module.css';
import { dealAgain, dropCard, useDeck, useHasPeople } from './use-deck.ts';

function LoadingSkeleton() {
  return (
    <Box w="min(100%, 32rem)" mx="auto">
      <Skeleton height="38rem" />
    </Box>
  );
}

function Actions({ view, onKeys }: { view: ReturnType<typeof useDiscoverView>; onKeys: () => void }) {
  const { mayBeGrid, isGrid } = view;
  const hasPeople = useHasPeople();
  const ViewIcon = isGrid ? IconCards : IconLayoutGrid;
  return (
    <>
      {hasPeople && mayBeGrid && (
        <Button
          variant="default"
          leftSection={<ViewIcon size={18} stroke={1.75} aria-hidden="true" />}
          onPointerEnter={preloadCardGrid}
          onFocus={preloadCardGrid}
          onClick={() => view.showGrid(!isGrid)}
        >
          {isGrid ? t`One at a time` : t`Grid`}
        </Button>
      )}
      {hasPeople && !isGrid && (
        <ActionIcon
          className={classes.keysButton}
          variant="default"
          size="input-sm"
          aria-label={t`Keyboard shortcuts`}
          onClick={onKeys}
        >
          <IconKeyboard size={20} stroke={1.75} />
        </ActionIcon>
      )}
      <ActionIcon
        variant="default"
        size="input-sm"
        aria-label={t`Preferences`}
        onPointerEnter={preloadPreferencesSheet}
        onFocus={preloadPreferencesSheet}
        onClick={() => view.openPreferences(true)}
      >
        <IconAdjustmentsHorizontal size={20} stroke={1.75} />
      </ActionIcon>
    </>
  );
}

/** Reloads the deck. The pressed button disappears, so the focus moves to the page's heading. */
function startOver() {
  focusTitle();
  dealAgain();
}

interface PeopleProps {
  isGrid: boolean;
  openPreferences: () => void;
  onOpen: (opened: Opened) => void;
}

/** The people to decide on, one at a time or as a grid. Only this part renders again after a decision. */
function People({ isGrid, openPreferences, onOpen }: PeopleProps) {
  const remainingLikes = useRemainingLikes();
  const deck = useDeck();
  const refreshPictures = useFreshAddresses(deck.loadedAt, deck.refresh);
  const { data, error } = deck.query;
  const refusal = data === undefined && error instanceof ApiError && error.status === 403 ? error : null;
  const hasCards = (data?.cards.length ?? 0) > 0;
  // The first deck is rendered with low priority, later changes immediately.
  const { data: shown } = deck.query;
  const mayDraw = useDeferredValue(shown !== undefined, false);
  const query = mayDraw || shown === undefined ? deck.query : { ...deck.query, data: undefined, isFetching: true };

  useEffect(() => {
    return hasCards ? whenIdle(fetchNextParts) : undefined;
  }, [hasCards]);

  if (refusal !== null) return <NotYet error={refusal} />;
  const shared = { onUndo: () => void undo((userId) => void deck.bringBack(userId)), onPictureFailed: refreshPictures };
  return (
    <QueryStates
      query={query}
      loadingText={t`Looking for people...`}
      skeleton={<LoadingSkeleton />}
      errorText={(error) => t`Couldn't load people: ${error}`}
    >
      {({ cards, empty, isPaused }) =>
        isPaused || empty !== null ? (
          <NoDeck
            empty={isPaused ? null : empty}
            onWidened={startOver}
            onPreferences={openPreferences}
            onAgain={startOver}
          />
        ) : isGrid ? (
          <CardGrid {...shared} cards={cards} onDecide={({ user }, way) => decide(user, way)} />
        ) : (
          <Deck
            {...shared}
            cards={cards}
            remainingLikes={remainingLikes}
            onDecide={({ user }, way) => decide(user, way)}
            onOpen={onOpen}
            detailsOf={(card) => (
              <Story
                user={card.user}
                distanceFormatted={card.distanceFormatted}
                hasPlaceAbove
                onLike={(on) => onOpen({ what: 'note', card, on })}
              />
            )}
          />
        )
      }
    </QueryStates>
  );
}

/** Marks the news of new people as read. Its code is loaded only if something is unread. */
function useNewPeopleSeen(): void {
  const { unread = 0, at = '' } = useCached<NewestNotification>(keys.newestNotification) ?? {};
  const hasUnread = unread > 0;
  useEffect(() => {
    if (hasUnread) preload(async () => (await import('../../features/notifications/queries.ts')).markKindRead('fit'));
  }, [hasUnread, at]);
}

/** Everything around the people: the bar's buttons, notices and dialogs. */
function Discover() {
  const isVIP = useSession((session) => session.isVIP);
  const view = useDiscoverView();
  const [opened, setOpened] = useState<Opened | null>(null);
  const isInstallable = useInstallPrompt(({ prompt }) => prompt !== null);
  useNewPeopleSeen();
  return (
    <>
      <PageHeading className="visually-hidden">{t`Discover`}</PageHeading>
      <BarActions>
        <Actions view={view} onKeys={() => setOpened({ what: 'keys' })} />
      </BarActions>
      <DecisionNotices />
      <People isGrid={view.isGrid} openPreferences={() => view.openPreferences(true)} onOpen={setOpened} />
      <Turns />
      {isInstallable && <InstallNotice />}
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
        <PreferencesSheet
          isPremium={isVIP === true}
          onSaved={() => {
            view.openPreferences(false);
            dealAgain();
          }}
          onClose={() => view.openPreferences(false)}
        />
      )}
    </>
  );
}

/** Once a day, offers to answer the people who wait for the member, if there are many. */
function Turns() {
  const [waiting, setWaiting] = useState<Waiting | null>(null);

  useEffect(() => {
    let isWanted = true;
    const cancel = whenIdle(() => {
      preload(async () => {
        if (!isTurnsTime()) return;
        const { loadWaiting } = await import('../../features/messages/turns/waiting.ts');
        const found = await loadWaiting();
        if (isWanted) setWaiting(found);
      });
    });
    return () => {
      isWanted = false;
      cancel();
    };
  }, []);

  if (waiting === null) return null;
  const close = () => setWaiting(null);
  return <TurnsDialog waiting={waiting} onClose={close} />;
}

/** The page on which members discover each other. */
export function DiscoverPage() {
  return (
    <MembersOnly title={t`Discover`}>
      <Discover />
    </MembersOnly>
  );
}

const deckKeys: KeyList = [
  ['←', msg`Pass`],
  ['→', msg`Like`],
  ['↑ ↓', msg`Read the profile`],
  ['Space', msg`Next picture or answer`],
  ['Backspace', msg`Undo`],
  ['?', msg`Show these keys`],
];

interface DiscoverDialogsProps {
  opened: Opened | null;
  onLike: (user: CardView['user'], words: LikeWords) => void;
  onOrder: () => void;
  onClose: () => void;
}

/** Dialogs over the deck: why a person is shown, a like with a note, reporting and blocking, or the keyboard shortcuts. */
function DiscoverDialogs({ opened, onLike, onOrder, onClose }: DiscoverDialogsProps) {
  // Remains after the sheet has closed, to show the result and offer Undo.
  const [reported, setReported] = useState<CardView['user'] | null>(null);
  if (opened?.what === 'report' && opened.card.user !== reported) setReported(opened.card.user);
  return (
    <>
      {opened?.what === 'why' && <WhyDialog card={opened.card} onOrder={onOrder} onClose={onClose} />}
      {opened?.what === 'note' && (
        <LikeNoteDialog
          user={opened.card.user}
          picture={opened.card.user.pictures[0]}
          on={opened.on}
          onSend={(words) => {
            onClose();
            onLike(opened.card.user, words);
          }}
          onClose={onClose}
        />
      )}
      {reported !== null && (
        <ReportOrBlock
          key={reported._id}
          user={reported}
          isOpen={opened?.what === 'report'}
          onHidden={() => dropCard(reported._id)}
          onClose={onClose}
        />
      )}
      {opened?.what === 'keys' && <KeysDialog keys={deckKeys} hasForms={false} onClose={onClose} />}
    </>
  );
}

/** What the member has to do before they see anyone. */
const [NotYet] = lazyPart(async () => (await import('../sign-in/NotYet.tsx')).NotYet);

/** The people who wait for the member's answer. */
const [TurnsDialog] = lazyPart(async () => (await import('../../features/messages/turns/TurnsDialog.tsx')).TurnsDialog);

/** The full profile behind a card. */
const Story = lazy(async () => ({ default: (await import('../../features/profiles/view/Story.tsx')).Story }));

/** The dialog that explains why a person is shown. */
const [WhyDialog, preloadWhyDialog] = lazyPart(
  async () => (await import('../../features/discovery/deck/WhyDialog.tsx')).WhyDialog,
);

/** For browsers that can install the app. */
const [InstallNotice] = lazyPart(
  async () => (await import('../../features/installation/InstallOffer.tsx')).InstallNotice,
);

/** Reporting and blocking from a card. */
const [ReportOrBlock] = lazyPart(async () => (await import('../people/ReportOrBlock.tsx')).ReportOrBlock);

/** The dialog for a like with a note. */
const [LikeNoteDialog, preloadLikeNoteDialog] = lazyPart(
  async () => (await import('../../features/connections/LikeNoteDialog.tsx')).LikeNoteDialog,
);

/** The grid, for wide screens. */
const [CardGrid, preloadCardGrid] = lazyPart(
  async () => (await import('../../features/discovery/deck/CardGrid.tsx')).CardGrid,
  <LoadingSkeleton />,
);

/** Explains why no one is left. */
const [NoDeck] = lazyPart(
  async () => (await import('../../features/discovery/deck/EmptyDeck.tsx')).NoDeck,
  <LoadingSkeleton />,
);

/** The preferences, with all interests and languages. */
const [PreferencesSheet, preloadPreferencesSheet] = lazyPart(
  async () => (await import('../../features/discovery/preferences/PreferencesSheet.tsx')).PreferencesSheet,
);

/** Preloads the dialogs that can be opened next, once there is a card. */
function fetchNextParts(): void {
  preloadLikeNoteDialog();
  preloadWhyDialog();
}

/** Screens wide enough for a grid. */
const wide = '(min-width: 64rem)';

/** The deck's state in the address: grid or single cards, and whether the preferences are open. */
function useDiscoverView() {
  const [params, setParams] = useSearchParams();
  const mayBeGrid = useMediaQuery(wide, undefined, { getInitialValueInEffect: false });

  function set(name: string, value: string | null) {
    const change = (before: URLSearchParams) => {
      if (value === null) before.delete(name);
      else before.set(name, value);
      return before;
    };
    setParams(change, { preventScrollReset: true });
  }

  return {
    mayBeGrid,
    isGrid: mayBeGrid && params.get('view') === 'grid',
    arePreferencesOpen: params.get('wishes') === 'open',
    showGrid: (isGrid: boolean) => set('view', isGrid ? 'grid' : null),
    openPreferences: (areOpen: boolean) => set('wishes', areOpen ? 'open' : null),
  };
}
