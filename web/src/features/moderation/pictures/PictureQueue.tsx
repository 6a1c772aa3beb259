import { msg, plural, t } from '@lingui/core/macro';
import { Box, Button, Group, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { type KeyboardEvent as ReactKeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { QueuedPicture } from '#contract/moderation/picture-queue.ts';
import { RichText } from '../../../ui/data/RichText.tsx';
import { LastUpdated } from '../../../ui/feedback/LastUpdated.tsx';
import type { KeyList } from '../../../ui/feedback/KeysDialog.tsx';
import { EmptyState, QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { KeyHint, useSingleKeys } from '../../../ui/keyboard/shortcuts.tsx';
import { Desk } from '../queue/Desk.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { PictureCards, PictureFacts, PictureStage, StageWay } from './PictureCards.tsx';
import { ownerWords } from './picture-data.ts';
import { arrowSteps, usePictureQueue, useShownPicture } from './use-picture-queue.ts';
import { useVerdicts } from './use-decisions.tsx';
import classes from './pictures.module.css';
import { MoreRows } from '../../../ui/data/table/ListParts.tsx';

/** The last decision, with a link to the user, where an approved picture can still be rejected. */
function Last({ picture }: { picture: QueuedPicture }) {
  return (
    <RichText
      text={({ name }) => (picture.state === 'approved' ? t`Approved: ${name}` : t`Rejected: ${name}`)}
      parts={{
        name: (
          <Link to={`/users/${picture.user._id}`}>
            <bdi>{ownerWords(picture.user)}</bdi>
          </Link>
        ),
      }}
    />
  );
}

interface PictureQueueStateProps {
  queue: ReturnType<typeof usePictureQueue>;
  last: QueuedPicture | null;
  /** Buttons that lead to the other pictures while one is enlarged. */
  way: ReactNode;
  children: ReactNode;
}

/**
 * Shows the number of waiting pictures and the last decision above the pictures, and below them whether more are
 * loading.
 */
export function PictureQueueState({ queue, last, way, children }: PictureQueueStateProps) {
  const { query, pictures, total, isTotalExact } = queue;
  const shown = `${formatNumber(total)}${isTotalExact ? '' : '+'}`;
  return (
    <>
      <Group gap="0.35rem 1.25rem" mb="0.8rem" c="dimmed" className={classes.head ?? ''}>
        <Group gap="0 1.25rem" flex="1 1 12rem">
          <Text role="status" fw={600}>
            {total > 0 &&
              t`${plural({ count: total }, { one: `${shown} picture is waiting`, other: `${shown} pictures are waiting` })}`}
          </Text>
          <Text role="status">{last !== null && <Last picture={last} />}</Text>
        </Group>
        <Box ms="auto">{way ?? <LastUpdated query={query} />}</Box>
      </Group>
      {pictures.length > 0 && children}
      {pictures.length === 0 && !query.hasNextPage && (
        <EmptyState text={t`No pictures are waiting.`} hint={t`New pictures appear here automatically.`} />
      )}
      <MoreRows
        query={query}
        loadingText={t`Loading more pictures...`}
        errorText={(error) => t`Error loading pictures: ${error}`}
      />
    </>
  );
}

/** The keyboard shortcuts of the queue. */
export const pictureQueueKeys: KeyList = [
  ['j', msg`Next picture`],
  ['k', msg`Previous picture`],
  ['← ↑ ↓ →', msg`Move among the pictures`],
  ['Enter', msg`Enlarge the picture, or show all again`],
  ['a', msg`Approve`],
  ['r', msg`Reject`],
  ['?', msg`Show these keys`],
];

function LoadingSkeleton() {
  return (
    <div className={classes.cards} data-loading>
      <Skeleton height="29rem" count={8} />
    </div>
  );
}

/** Prevents a key that is held down from deciding more than once. */
function ignoreHeldKey(event: ReactKeyboardEvent) {
  if (event.repeat) event.preventDefault();
}

interface LargeDecisionsProps {
  picture: QueuedPicture;
  onApprove: (picture: QueuedPicture) => void;
  onReject: (picture: QueuedPicture) => void;
}

/** The owner of the enlarged picture, and buttons for the two decisions. */
function LargeDecisions({ picture, onApprove, onReject }: LargeDecisionsProps) {
  return (
    <>
      <div className={classes.whose}>
        <PictureFacts picture={picture} />
      </div>
      <Button
        className={classes.decision}
        variant="default"
        leftSection={<IconX size={18} stroke={2} aria-hidden="true" />}
        aria-keyshortcuts="r"
        onClick={() => onReject(picture)}
      >
        {t`Reject`}
        <KeyHint of="r" />
      </Button>
      <Button
        className={classes.decision}
        color="moss"
        leftSection={<IconCheck size={18} stroke={2} aria-hidden="true" />}
        aria-keyshortcuts="a"
        onKeyDown={ignoreHeldKey}
        onClick={({ detail }) => {
          if (detail <= 1) onApprove(picture);
        }}
      >
        {t`Approve`}
        <KeyHint of="a" />
      </Button>
    </>
  );
}

interface QueueKeys {
  place: RefObject<HTMLDivElement | null>;
  current: QueuedPicture | undefined;
  move: (steps: number) => void;
  onApprove: (picture: QueuedPicture) => void;
  onReject: (picture: QueuedPicture) => void;
  onSwitch: () => void;
}

/** The keyboard shortcuts listed in `pictureQueueKeys`, without `?`. */
function useQueueKeys({ place, current, move, onApprove, onReject, onSwitch }: QueueKeys): void {
  function moveByArrow({ key }: KeyboardEvent) {
    move(arrowSteps(place.current)[key] ?? 0);
    return current !== undefined;
  }

  useSingleKeys(
    {
      j: () => move(1),
      k: () => move(-1),
      ArrowLeft: moveByArrow,
      ArrowRight: moveByArrow,
      ArrowUp: moveByArrow,
      ArrowDown: moveByArrow,
      a: ({ repeat }) => {
        if (current !== undefined && !repeat) onApprove(current);
      },
      r: () => {
        if (current !== undefined) onReject(current);
      },
      Enter: () => {
        if (current === undefined || document.activeElement?.matches('a, button') === true) return false;
        onSwitch();
        return true;
      },
    },
    { place },
  );
}

/** The queue of pending pictures. Each is approved, or rejected with a reason, by pointer or keyboard. */
export function PictureQueue() {
  const place = useRef<HTMLDivElement>(null);
  const [isLarge, setLarge] = useState(false);
  const queue = usePictureQueue();
  const { query, pictures } = queue;
  const { onApprove, onReject, last, hasFailures, failures, dialog } = useVerdicts();
  const { index, choose, move } = useShownPicture(queue, place, isLarge, hasFailures);
  const current = pictures[index];
  const enlarged = isLarge ? current : undefined;

  function onEnlarge(picture: QueuedPicture) {
    choose(picture.publicId);
    setLarge(true);
  }

  useQueueKeys({
    place,
    current,
    move,
    onApprove,
    onReject,
    onSwitch: () => setLarge(!isLarge),
  });

  return (
    <>
      <Desk
        label={t`Pending pictures`}
        onBack={enlarged === undefined ? null : () => setLarge(false)}
        acts={enlarged && <LargeDecisions picture={enlarged} onApprove={onApprove} onReject={onReject} />}
      >
        <div ref={place}>
          <QueryStates
            query={query}
            loadingText={t`Loading pictures...`}
            skeleton={<LoadingSkeleton />}
            errorText={(error) => t`Error loading pictures: ${error}`}
          >
            {() => (
              <PictureQueueState
                queue={queue}
                last={last}
                way={
                  enlarged && (
                    <StageWay
                      isFirst={index === 0}
                      isLast={index === pictures.length - 1}
                      onMove={move}
                      onBack={() => setLarge(false)}
                    />
                  )
                }
              >
                {enlarged === undefined ? (
                  <PictureCards
                    pictures={pictures}
                    index={index}
                    onCurrent={choose}
                    onEnlarge={onEnlarge}
                    onApprove={onApprove}
                    onReject={onReject}
                  />
                ) : (
                  <PictureStage picture={enlarged} onBack={() => setLarge(false)} />
                )}
              </PictureQueueState>
            )}
          </QueryStates>
          {failures}
        </div>
      </Desk>
      {dialog}
    </>
  );
}
