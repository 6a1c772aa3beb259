import { t } from '@lingui/core/macro';
import { ActionIcon, Box, Button, Group } from '@mantine/core';
import { IconArrowLeft, IconCheck, IconChevronLeft, IconChevronRight, IconX, IconZoomIn } from '@tabler/icons-react';
import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { thumbnailHeight, thumbnailWidth } from '#contract/constants.ts';
import type { QueuedPicture } from '#contract/moderation/picture-queue.ts';
import { Picture } from '../../../ui/data/Picture.tsx';
import { RichText } from '../../../ui/data/RichText.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { genderWords, wordFor } from '../reports/report-words.ts';
import { LargePicture } from './PictureDialog.tsx';
import { PictureReasons } from './PictureReasons.tsx';
import { ownerName, ownerWords } from './picture-data.ts';
import { pictureButtonId } from './use-picture-queue.ts';
import classes from './pictures.module.css';

/** The owner of a pending picture, how long it has been waiting, and what automatic checks found in it. */
export function PictureFacts({ picture }: { picture: QueuedPicture }) {
  const { user, claimedAt } = picture;
  return (
    <Box miw={0}>
      <Group gap="0.2rem 0.6rem" fw={600}>
        <Link to={`/users/${user._id}`}>
          <bdi>{ownerWords(user)}</bdi>
        </Link>
        {user.gender !== null && (
          <Hint span fz="small" fw={400}>
            {wordFor(genderWords, user.gender)}
          </Hint>
        )}
        {picture.isProfilePicture && <Tag tone="info">{t`Profile picture`}</Tag>}
      </Group>
      <Hint fz="small">
        <RichText
          text={({ time }) => t`Waiting since ${time}`}
          parts={{
            time: <Time at={claimedAt} />,
          }}
        />
      </Hint>
      <PictureReasons picture={picture} />
    </Box>
  );
}

/** This many pictures after the current one are loaded before they come into view. */
const fetchedAhead = 12;
/** If this share of a picture is cut off in its thumbnail, the thumbnail does not show enough. */
const muchCut = 0.08;

function isMuchCut({ width, height }: QueuedPicture): boolean {
  return Math.abs((width / height) * (thumbnailHeight / thumbnailWidth) - 1) > muchCut;
}

/** The actions on a picture in the queue. */
export interface PictureCommands {
  onCurrent: (publicId: string) => void;
  onEnlarge: (picture: QueuedPicture) => void;
  onApprove: (picture: QueuedPicture) => void;
  onReject: (picture: QueuedPicture) => void;
}

/** Ignores the second click of a double click, which would hit the card that moved up. */
function once(command: () => void) {
  return ({ detail }: MouseEvent) => {
    if (detail <= 1) command();
  };
}

interface PictureCardProps extends PictureCommands {
  picture: QueuedPicture;
  isCurrent: boolean;
  isEager: boolean;
}

function PictureCard({ picture, isCurrent, isEager, ...commands }: PictureCardProps) {
  const name = ownerName(picture.user);
  const isCut = isMuchCut(picture);
  return (
    <li
      className={classes.card}
      aria-current={isCurrent || undefined}
      onFocus={() => commands.onCurrent(picture.publicId)}
    >
      <button
        id={pictureButtonId(picture.publicId)}
        type="button"
        className={classes.picture}
        aria-label={isCut ? t`Enlarge the picture of ${name}, cropped here` : t`Enlarge the picture of ${name}`}
        onClick={() => commands.onEnlarge(picture)}
      >
        <Picture picture={picture} alt="" isEager={isEager} />
        <span className={classes.zoom}>
          <IconZoomIn size={16} stroke={2} aria-hidden="true" />
          {isCut && t`Cropped here`}
        </span>
      </button>
      <div className={classes.facts}>
        <PictureFacts picture={picture} />
      </div>
      <div className={classes.actions}>
        <button
          type="button"
          className={classes.action}
          aria-label={t`Reject the picture of ${name}`}
          onClick={once(() => commands.onReject(picture))}
        >
          <IconX size={18} stroke={2} aria-hidden="true" />
          {t`Reject`}
        </button>
        <button
          type="button"
          className={classes.action}
          data-tone="positive"
          aria-label={t`Approve the picture of ${name}`}
          onClick={once(() => commands.onApprove(picture))}
        >
          <IconCheck size={18} stroke={2} aria-hidden="true" />
          {t`Approve`}
        </button>
      </div>
    </li>
  );
}

interface PictureCardsProps extends PictureCommands {
  pictures: readonly QueuedPicture[];
  /** The index of the current picture. */
  index: number;
}

/** The pending pictures as cards, which are reviewed one after another. */
export function PictureCards({ pictures, index, ...commands }: PictureCardsProps) {
  return (
    <ul className={classes.cards} aria-label={t`Pending pictures`}>
      {pictures.map((picture, at) => (
        <PictureCard
          key={picture.publicId}
          picture={picture}
          isCurrent={at === index}
          isEager={at <= index + fetchedAhead}
          {...commands}
        />
      ))}
    </ul>
  );
}

interface StepProps {
  label: string;
  isEnd: boolean;
  onStep: () => void;
  children: ReactNode;
}

/** A button for the next or previous picture. At the end of the list it keeps the focus and does nothing. */
function Step({ label, isEnd, onStep, children }: StepProps) {
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={label}
      aria-disabled={isEnd || undefined}
      data-disabled={isEnd}
      onClick={() => {
        if (!isEnd) onStep();
      }}
    >
      {children}
    </ActionIcon>
  );
}

interface StageWayProps {
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1) => void;
  onBack: () => void;
}

/** Buttons that lead from one large picture to the next ones and back to all pictures. */
export function StageWay({ isFirst, isLast, onMove, onBack }: StageWayProps) {
  return (
    <Group gap="0.5rem">
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconArrowLeft className="mirrored" size={16} stroke={1.75} aria-hidden="true" />}
        onClick={onBack}
      >
        {t`All pictures`}
      </Button>
      <Step label={t`Previous picture`} isEnd={isFirst} onStep={() => onMove(-1)}>
        <IconChevronLeft className="mirrored" size={18} stroke={1.75} />
      </Step>
      <Step label={t`Next picture`} isEnd={isLast} onStep={() => onMove(1)}>
        <IconChevronRight className="mirrored" size={18} stroke={1.75} />
      </Step>
    </Group>
  );
}

/** One pending picture, large and uncropped. Pressing it returns to all pictures. */
export function PictureStage({ picture, onBack }: { picture: QueuedPicture; onBack: () => void }) {
  const name = ownerName(picture.user);
  return (
    <button
      id={pictureButtonId(picture.publicId)}
      type="button"
      className={`${classes.thumbnail ?? ''} ${classes.enlarged ?? ''}`}
      aria-label={t`The picture of ${name}, enlarged. Back to all pictures`}
      onClick={onBack}
    >
      <LargePicture picture={picture} alt="" />
    </button>
  );
}
