import { ActionIcon, Box, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconCards, IconKeyboard, IconLayoutGrid } from '@tabler/icons-react';
import { Suspense, useDeferredValue, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { LikedPart } from '#contract/connections.ts';
import { ApiError } from '../../api/api-error.ts';
import { earlyCard } from '../../api/request.ts';
import { readSession } from '../../api/session/stored-session.ts';
import { useSession } from '../../features/auth/session/session.ts';
import type { CardView } from '#contract/discovery.ts';
import { Deck } from '../../features/discovery/deck/Deck.tsx';
import { useInstallPrompt } from '../../features/installation/install-prompt.ts';
import { DecisionNotices } from '../../features/connections/DecisionNotices.tsx';
import { decide, type LikeWords, useRemainingLikes, useUndo } from '../../features/connections/decisions.ts';
import { useFreshAddresses } from '../../ui/data/Picture.tsx';
import type { KeyList } from '../../ui/feedback/KeysDialog.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { BarActions } from '../../ui/shell/AppBar.tsx';
import { PageHeading } from '../../ui/layout/Page.tsx';
import { lazyPart, whenIdle } from '../../ui/loading/lazy-page.tsx';
import { t } from '../../ui/text/text.ts';
import { MembersOnly } from '../layout/NarrowPage.tsx';
import classes from '../../features/discovery/deck/deck.module.css';
import { firstMessageTo } from '../people/first-message.tsx';
import { dealAgain, useDeck, useHasPeople } from './use-deck.ts';

/** Takes the first card over from the document's splash as it is, so that it stays until the app has drawn it. */
function adoptCard(place: HTMLElement | null) {
  place?.append(...earlyCard(readSession().token));
}

function LoadingSkeleton() {
  return (
    <Box w="min(100%, 32rem)" mx="auto">
      <div ref={adoptCard} className="early-card" />
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
          onPointerEnter={cardGrid.preload}
          onFocus={cardGrid.preload}
          onClick={() => view.showGrid(!isGrid)}
        >
          {isGrid ? t('One at a time') : t('Grid')}
        </Button>
      )}
      {hasPeople && !isGrid && (
        <ActionIcon
          className={classes.keysButton}
          variant="default"
          size="input-sm"
          aria-label={t('Keyboard shortcuts')}
          onClick={onKeys}
        >
          <IconKeyboard size={20} stroke={1.75} />
        </ActionIcon>
      )}
      <ActionIcon
        variant="default"
        size="input-sm"
        aria-label={t('Preferences')}
        onPointerEnter={preferencesSheet.preload}
        onFocus={preferencesSheet.preload}
        onClick={() => view.openPreferences(true)}
      >
        <IconAdjustmentsHorizontal size={20} stroke={1.75} />
      </ActionIcon>
    </>
  );
}

/** Starts the deck over; the pressed button leaves with what it was on, so the focus goes to the page's heading. */
function startOver() {
  document.querySelector('h1')?.focus({ preventScroll: true });
  dealAgain();
}

interface PeopleProps {
  isGrid: boolean;
  openPreferences: () => void;
  onOpen: (opened: Opened) => void;
}

/** The people to decide on, one at a time or as a grid: all that a decision draws again. */
function People({ isGrid, openPreferences, onOpen }: PeopleProps) {
  const remainingLikes = useRemainingLikes();
  const undoLast = useUndo();
  const deck = useDeck();
  const refreshPictures = useFreshAddresses(deck.loadedAt, deck.refresh);
  const { data, error } = deck.query;
  const refusal = data === undefined && error instanceof ApiError && error.status === 403 ? error : null;
  const hasCards = (data?.cards.length ?? 0) > 0;
  // The first deck is drawn in slices, and changes of the drawn deck at once.
  const { data: shown } = deck.query;
  const mayDraw = useDeferredValue(shown !== undefined, false);
  const query = mayDraw || shown === undefined ? deck.query : { ...deck.query, data: undefined, isFetching: true };

  useEffect(() => {
    if (hasCards) whenIdle(fetchNextParts);
  }, [hasCards]);

  async function undo() {
    const userId = await undoLast();
    if (userId !== null) await deck.bringBack(userId);
  }

  if (refusal !== null)
    return (
      <Suspense>
        <notYet.Part error={refusal} />
      </Suspense>
    );
  const shared = { onUndo: () => void undo(), onPictureFailed: refreshPictures };
  return (
    <QueryStates
      query={query}
      loadingText={t('Looking for people...')}
      skeleton={<LoadingSkeleton />}
      errorText="Couldn't load people: {error}"
    >
      {({ cards, empty, isPaused }) => (
        <Suspense fallback={<LoadingSkeleton />}>
          {isPaused ? (
            <pausedDeck.Part onResumed={startOver} />
          ) : empty !== null ? (
            <emptyDeck.Part empty={empty} onWidened={startOver} onPreferences={openPreferences} onAgain={startOver} />
          ) : isGrid ? (
            <cardGrid.Part {...shared} cards={cards} onDecide={({ user }, way) => decide(user, way)} />
          ) : (
            <Deck
              {...shared}
              cards={cards}
              remainingLikes={remainingLikes}
              onDecide={({ user }, way) => decide(user, way)}
              onNote={(card) => onOpen({ what: 'note', card, on: firstPictureOf(card) })}
              onWhy={(card) => onOpen({ what: 'why', card })}
              onKeys={() => onOpen({ what: 'keys' })}
              detailsOf={(card) => (
                <story.Part
                  user={card.user}
                  distanceFormatted={card.distanceFormatted}
                  hasPlaceAbove
                  onLike={(on) => onOpen({ what: 'note', card, on })}
                />
              )}
            />
          )}
        </Suspense>
      )}
    </QueryStates>
  );
}

/** Their first picture, as what a like is about. */
function firstPictureOf({ user: { pictures } }: CardView): LikedPart | undefined {
  const [first] = pictures;
  return first && { kind: 'picture', publicId: first.publicId };
}

/** What is around the people: the bar's buttons, notices and dialogs. */
function Discover() {
  const isVIP = useSession((session) => session.isVIP);
  const view = useDiscoverView();
  const [opened, setOpened] = useState<Opened | null>(null);
  const isInstallable = useInstallPrompt(({ prompt }) => prompt !== null);
  return (
    <>
      <PageHeading className="visually-hidden">{t('Discover')}</PageHeading>
      <BarActions>
        <Actions view={view} onKeys={() => setOpened({ what: 'keys' })} />
      </BarActions>
      <DecisionNotices firstMessageTo={firstMessageTo} />
      <People isGrid={view.isGrid} openPreferences={() => view.openPreferences(true)} onOpen={setOpened} />
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
              dealAgain();
            }}
            onClose={() => view.openPreferences(false)}
          />
        </Suspense>
      )}
    </>
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

/** The dialog that is open over the deck. */
type Opened =
  { what: 'why'; card: CardView } | { what: 'note'; card: CardView; on: LikedPart | undefined } | { what: 'keys' };

const deckKeys: KeyList = [
  ['←', 'Pass'],
  ['→', 'Like'],
  ['↑ ↓', 'Read the profile'],
  ['Space', 'Next picture or answer'],
  ['Backspace', 'Undo'],
  ['?', 'Show these keys'],
];

interface DiscoverDialogsProps {
  opened: Opened | null;
  onLike: (user: CardView['user'], words: LikeWords) => void;
  onOrder: () => void;
  onClose: () => void;
}

/** Dialogs over the deck: why a person is shown, a like with a note, or the keyboard shortcuts. */
function DiscoverDialogs({ opened, onLike, onOrder, onClose }: DiscoverDialogsProps) {
  return (
    <Suspense>
      {opened?.what === 'why' && <whyDialog.Part card={opened.card} onOrder={onOrder} onClose={onClose} />}
      {opened?.what === 'note' && (
        <noteDialog.Part
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
      {opened?.what === 'keys' && <keysDialog.Part keys={deckKeys} hasForms={false} onClose={onClose} />}
    </Suspense>
  );
}

/** For members who have something to do first. */
const notYet = lazyPart(() => import('../sign-in/NotYet.tsx').then((module) => module.NotYet));

/** The rest of a profile. */
const story = lazyPart(() => import('../../features/profiles/view/Story.tsx').then((module) => module.Story));

/** Why a person is shown. */
const whyDialog = lazyPart(() =>
  import('../../features/discovery/deck/WhyDialog.tsx').then((module) => module.WhyDialog),
);

/** A like with a note. */
const noteDialog = lazyPart(() =>
  import('../../features/connections/LikeNoteDialog.tsx').then((module) => module.LikeNoteDialog),
);

/** The keyboard shortcuts. */
const keysDialog = lazyPart(() => import('../../ui/feedback/KeysDialog.tsx').then((module) => module.KeysDialog));

/** The grid, for wide screens. */
const cardGrid = lazyPart(() => import('../../features/discovery/deck/CardGrid.tsx').then((module) => module.CardGrid));

/** Why no one is left. */
const emptyDeck = lazyPart(() =>
  import('../../features/discovery/deck/EmptyDeck.tsx').then((module) => module.EmptyDeck),
);

/** In place of the deck while the member's profile is paused. */
const pausedDeck = lazyPart(() =>
  import('../../features/discovery/deck/PausedDeck.tsx').then((module) => module.PausedDeck),
);

/** The preferences, with all interests and languages. */
const preferencesSheet = lazyPart(() =>
  import('../../features/discovery/preferences/PreferencesSheet.tsx').then((module) => module.PreferencesSheet),
);

/** The offer to install the app, where the browser can. */
const installNotice = lazyPart(() =>
  import('../../features/installation/InstallOffer.tsx').then((module) => module.InstallNotice),
);

/** Loads what may be opened next, once there is a card. */
function fetchNextParts(): void {
  for (const part of [noteDialog, whyDialog]) part.preload();
}

/** Screens wide enough for a grid. */
const wide = '(min-width: 64rem)';

/** The deck's state in the address: grid or single cards, and whether the preferences are open. */
function useDiscoverView() {
  const [params, setParams] = useSearchParams();
  const mayBeGrid = useMediaQuery(wide, undefined, { getInitialValueInEffect: false });

  function set(name: string, value: string | null) {
    setParams((before) => {
      if (value === null) before.delete(name);
      else before.set(name, value);
      return before;
    });
  }

  return {
    mayBeGrid,
    isGrid: mayBeGrid && params.get('view') === 'grid',
    arePreferencesOpen: params.get('wishes') === 'open',
    showGrid: (isGrid: boolean) => set('view', isGrid ? 'grid' : null),
    openPreferences: (areOpen: boolean) => set('wishes', areOpen ? 'open' : null),
  };
}
