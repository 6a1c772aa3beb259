import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { ActionIcon, Box, Button, Group, Loader, Stack, Text } from '@mantine/core';
import {
  IconCamera,
  IconChevronLeft,
  IconChevronRight,
  IconGripVertical,
  IconPhotoOff,
  IconPhotoPlus,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import type { ChangeEvent, HTMLAttributes, MouseEvent } from 'react';
import type { OwnPicture, PictureState } from '#contract/media.ts';
import { useServiceConfig } from '../../api/service-config.ts';
import { Picture } from '../../ui/data/Picture.tsx';
import { Tag, type TagTone } from '../../ui/data/Tag.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { isOnProfile, type Upload } from './use-own-pictures.ts';
import classes from './pictures.module.css';

/**
 * Apple's file pickers convert other picture types, such as HEIC, to one of these. Other pickers would hide such files
 * without explanation, so they offer all pictures, and unsupported ones are refused by name.
 */
export const accepted = navigator.vendor.startsWith('Apple') ? 'image/jpeg,image/png,image/webp,image/avif' : 'image/*';

export type OnFiles = (files: File[]) => void;

/** Passes the chosen files on. */
export const taking = (onFiles: OnFiles) => (event: ChangeEvent<HTMLInputElement>) => {
  const input = event.currentTarget;
  const files = [...(input.files ?? [])];
  // Resetting the input lets the same file be chosen again.
  input.value = '';
  if (files.length > 0) onFiles(files);
};

/** A tile that adds one or several pictures, on a phone also from the camera. */
export function AddTile({ isBusy, onFiles }: { isBusy: boolean; onFiles: OnFiles }) {
  const take = taking(onFiles);
  return (
    <Stack component="li" gap="0.5rem" miw={0}>
      <label className={classes.add}>
        <input className="visually-hidden" type="file" accept={accepted} multiple onChange={take} />
        <IconPhotoPlus size={30} stroke={1.5} aria-hidden="true" />
        {isBusy ? t`Opening...` : t`Add pictures`}
      </label>
      <Button
        component="label"
        className={classes.addCamera ?? ''}
        variant="default"
        size="compact-sm"
        mih="2.75rem"
        leftSection={<IconCamera size={20} stroke={1.5} aria-hidden="true" />}
      >
        <input className="visually-hidden" type="file" accept={accepted} capture="user" onChange={take} />
        {t`Take a picture`}
      </Button>
    </Stack>
  );
}

interface UploadTileProps {
  upload: Upload;
  onRetry: () => void;
  onDrop: () => void;
}

/** A picture that is being uploaded, or the reason why that failed. */
export function UploadTile({ upload: { file, preview, error, mayRetry }, onRetry, onDrop }: UploadTileProps) {
  return (
    <li className={classes.tile}>
      <div className={classes.picture} data-waiting>
        {preview === null ? (
          <IconPhotoOff style={{ color: 'var(--hw-ink-soft)' }} size={32} stroke={1.5} aria-hidden="true" />
        ) : (
          <img className={classes.preview} src={preview} alt="" width={400} height={500} />
        )}
      </div>
      {error === null ? (
        <Group role="status" component="p" gap="0.5rem" wrap="nowrap" fz="note" c="dimmed">
          <Loader size="xs" aria-hidden="true" />
          {t`Uploading...`}
        </Group>
      ) : (
        <>
          <Box role="alert" w="100%" miw={0} fz="note">
            <Text component="bdi" display="block" truncate c="dimmed">
              {file.name}
            </Text>
            <Text c="var(--mantine-color-error)">{error}</Text>
          </Box>
          <Group gap="0.25rem" w="100%">
            {mayRetry && (
              <Button size="xs" variant="default" onClick={onRetry}>
                {t`Try again`}
              </Button>
            )}
            <Button size="xs" variant="default" aria-label={t`Remove ${{ name: file.name }}`} onClick={onDrop}>
              {t`Remove`}
            </Button>
          </Group>
        </>
      )}
    </li>
  );
}

/** An approved picture needs no words. */
type ToldState = Exclude<PictureState, 'approved'>;
const stateWords: Record<ToldState, MessageDescriptor> = {
  pending: msg`Waiting for review`,
  rejected: msg({ message: 'Rejected', context: 'picture' }),
};
const stateTones: Record<ToldState, TagTone> = { pending: 'attention', rejected: 'accent' };

interface PictureTileProps {
  picture: OwnPicture;
  /** The picture's position, from 0, and the number of pictures on the profile; rejected pictures come after these. */
  place: number;
  count: number;
  /** Where the picture is while it is being dragged; null otherwise. */
  held: { x: number; y: number } | null;
  isTarget: boolean;
  /** Shows only the picture with a button to delete it. */
  isSlot?: boolean;
  handlers: HTMLAttributes<HTMLElement>;
  onMove: (to: number, by: string) => void;
  onDelete: () => void;
}

/** The buttons that move a picture by one position. */
function MoveButtons({ place, count, onMove }: Pick<PictureTileProps, 'place' | 'count' | 'onMove'>) {
  const number = place + 1;
  const [isFirst, isLast] = [place === 0, number === count];
  return (
    <>
      <Button
        variant="default"
        flex="1 1 2.5rem"
        mih="2.75rem"
        px={0}
        data-action="earlier"
        aria-label={t`Move picture ${number} earlier`}
        aria-disabled={isFirst || undefined}
        opacity={isFirst ? 0.45 : 1}
        onClick={() => !isFirst && onMove(place - 1, 'earlier')}
      >
        <IconChevronLeft className="mirrored" size={20} stroke={1.75} aria-hidden="true" />
      </Button>
      <Button
        variant="default"
        flex="1 1 2.5rem"
        mih="2.75rem"
        px={0}
        data-action="later"
        aria-label={t`Move picture ${number} later`}
        aria-disabled={isLast || undefined}
        opacity={isLast ? 0.45 : 1}
        onClick={() => !isLast && onMove(place + 1, 'later')}
      >
        <IconChevronRight className="mirrored" size={20} stroke={1.75} aria-hidden="true" />
      </Button>
    </>
  );
}

/** The second press of a double click must not hit the picture that has moved under the pointer. */
const once = (act: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) act();
};

/** The state of a picture, and the buttons below it. */
function TileFoot({
  picture,
  place,
  count,
  onMove,
  onDelete,
}: Omit<PictureTileProps, 'held' | 'isTarget' | 'handlers'>) {
  const { state, reason, isProfilePicture } = picture;
  const canMove = isOnProfile(picture);
  const number = place + 1;
  const showsPending = useServiceConfig()?.showsPendingPictures === true;
  return (
    <>
      {state !== 'approved' && (
        <div className={classes.state}>
          <Tag tone={stateTones[state]}>{t(stateWords[state])}</Tag>
        </div>
      )}
      {state === 'pending' && !showsPending && (
        <Hint lh={1.35} mb="1rem">
          {t`Others can't see it yet.`}
        </Hint>
      )}
      {reason !== null && (
        <Text fz="note" dir="auto">
          {reason}
        </Text>
      )}
      <Group gap="0.25rem" w="100%">
        {canMove && <MoveButtons place={place} count={count} onMove={onMove} />}
        <Button
          variant="default"
          flex="1 1 2.5rem"
          mih="2.75rem"
          px={0}
          aria-label={t`Delete picture ${number}`}
          onClick={once(onDelete)}
        >
          <IconTrash size={19} stroke={1.75} aria-hidden="true" />
          {!canMove && t`Delete`}
        </Button>
      </Group>
      {canMove && !isProfilePicture && (
        <Button
          variant="default"
          size="compact-xs"
          fullWidth
          mih="2.75rem"
          px={4}
          data-action="first"
          aria-label={t`Make profile picture: picture ${number}`}
          onClick={once(() => onMove(0, 'earlier'))}
        >
          {t`Make profile picture`}
        </Button>
      )}
    </>
  );
}

/** One of the member's pictures, with its state and all actions on it. */
export function PictureTile(props: PictureTileProps) {
  const { picture, place, count, held, isTarget, isSlot = false, handlers, onMove, onDelete } = props;
  const { isProfilePicture } = picture;
  const canMove = isOnProfile(picture);
  const number = place + 1;

  return (
    <li
      className={classes.tile}
      data-tile={picture.publicId}
      {...(canMove ? { 'data-place': place } : {})}
      data-target={isTarget || undefined}
      data-held={held !== null || undefined}
      style={held === null ? undefined : { transform: `translate(${held.x}px, ${held.y}px)` }}
    >
      <div className={classes.picture} data-movable={canMove || undefined} {...(canMove ? handlers : {})}>
        <Picture
          picture={canMove ? picture : { ...picture, placeholder: '' }}
          alt={isProfilePicture ? t`My profile picture` : t`My picture ${number}`}
        />
        {isProfilePicture && !isSlot && <span className={classes.first}>{t`Profile picture`}</span>}
        {canMove && count > 1 && (
          <span className={classes.grip} data-grip>
            <IconGripVertical size={18} stroke={1.75} aria-hidden="true" />
          </span>
        )}
      </div>
      {isSlot && canMove ? (
        <ActionIcon
          className={classes.remove ?? ''}
          bg="rgb(26 20 17 / 78%)"
          c="#fff"
          size="lg"
          aria-label={t`Delete picture ${number}`}
          onClick={once(onDelete)}
        >
          <IconX size={18} stroke={2} aria-hidden="true" />
        </ActionIcon>
      ) : (
        <TileFoot picture={picture} place={place} count={count} onMove={onMove} onDelete={onDelete} />
      )}
    </li>
  );
}
