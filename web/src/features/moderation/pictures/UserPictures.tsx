import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { OwnPicture } from '#contract/media.ts';
import type { AdminUser } from '#contract/profiles/user.ts';
import { Picture } from '../../../ui/data/Picture.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { personName } from '../../../ui/text/person.ts';
import { PictureDialog, PictureThumbnail } from './PictureDialog.tsx';
import { pictureStateTones, pictureStateWords, usePendingDecisions } from './picture-data.ts';
import { PictureFailures, PictureReasonDialog, type Rejection, useDecisions } from './use-decisions.tsx';
import classes from './pictures.module.css';

interface PictureItemProps {
  picture: OwnPicture;
  /** The number of the picture among the user's pictures. */
  number: string;
  /** The viewer may decide on this picture. */
  isDecidable: boolean;
  /** A decision is being sent. */
  isDeciding: boolean;
  onEnlarge: () => void;
  onApprove: () => void;
  onReject: () => void;
}

function PictureItem({ picture, number, isDecidable, isDeciding, onEnlarge, onApprove, onReject }: PictureItemProps) {
  const isRejected = picture.state === 'rejected';
  return (
    <li tabIndex={-1} data-picture={picture.publicId}>
      {isRejected ? (
        <span className={classes.thumbnail}>
          <Picture
            picture={{ ...picture, thumbnailUrl: '', placeholder: '' }}
            alt=""
            fallback={<span className={classes.failed}>{t`No longer shown`}</span>}
          />
        </span>
      ) : (
        <PictureThumbnail picture={picture} label={t`Enlarge picture ${number}`} onEnlarge={onEnlarge} />
      )}
      <Group gap="0.35rem" mt="0.5rem">
        <Tag tone={pictureStateTones[picture.state]} hasDot>
          {t(pictureStateWords[picture.state])}
        </Tag>
        {picture.isProfilePicture && <Tag tone="info">{t`Profile picture`}</Tag>}
      </Group>
      {isRejected && (
        <Hint dir="auto" w="fit-content" maw="100%" mt="0.4rem">
          {picture.reason ?? '—'}
        </Hint>
      )}
      {!isRejected && isDecidable && (
        <Group gap="0.35rem" mt="0.5rem">
          {picture.state === 'pending' && (
            <Button
              variant="default"
              size="xs"
              disabled={isDeciding}
              aria-label={t`Approve picture ${number}`}
              onClick={onApprove}
            >
              {t`Approve`}
            </Button>
          )}
          <Button
            variant="default"
            size="xs"
            disabled={isDeciding}
            aria-label={t`Reject picture ${number}`}
            onClick={onReject}
          >
            {t`Reject picture`}
          </Button>
        </Group>
      )}
    </li>
  );
}

/** A user's pictures with their review state and buttons to decide. */
export function UserPictures({ user }: { user: AdminUser }) {
  const pending = usePendingDecisions();
  const { decide, failed, forget } = useDecisions();
  const [enlarged, setEnlarged] = useState<string | null>(null);
  const [rejecting, setRejecting] = useState<OwnPicture | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const [settled, setSettled] = useState<Pick<OwnPicture, 'publicId'> | null>(null);
  const name = personName(user) ?? t`Unknown`;
  const pictures = user.pictures.map((picture) => {
    const decision = pending.get(picture.publicId);
    return decision ? { ...picture, state: decision.verdict, reason: decision.reason ?? null } : picture;
  });
  const shown = pictures.filter(({ state }) => state !== 'rejected');

  // The button that had the focus may have disappeared after a decision.
  useEffect(() => {
    if (settled === null || document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>(`[data-picture="${settled.publicId}"]`)?.focus();
  }, [settled]);

  function settle({ publicId }: OwnPicture, verdict: 'approved' | 'rejected', rejection: Rejection = {}) {
    setSettled({ publicId });
    decide({ publicId, userId: user._id, name, verdict, ...rejection });
  }

  if (pictures.length === 0) return <Text c="dimmed">{t`No pictures yet.`}</Text>;
  return (
    <>
      <ul ref={list} className={classes.pictures} aria-label={t`Pictures`}>
        {pictures.map((picture, index) => (
          <PictureItem
            key={picture.publicId}
            picture={picture}
            number={formatNumber(index + 1)}
            isDecidable={user.can.act}
            isDeciding={pending.has(picture.publicId)}
            onEnlarge={() => setEnlarged(picture.publicId)}
            onApprove={() => settle(picture, 'approved')}
            onReject={() => setRejecting(picture)}
          />
        ))}
      </ul>
      <PictureFailures failed={failed} onDismiss={forget} />
      {enlarged !== null && (
        <PictureDialog
          title={t`Pictures of ${name}`}
          pictures={shown}
          first={enlarged}
          onClose={() => setEnlarged(null)}
        />
      )}
      {rejecting !== null && (
        <PictureReasonDialog
          picture={rejecting}
          name={name}
          onReject={(rejection) => {
            setRejecting(null);
            settle(rejecting, 'rejected', rejection);
          }}
          onClose={() => setRejecting(null)}
        />
      )}
    </>
  );
}
