import { t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { openedPictureSeconds } from '#contract/constants.ts';
import { openPicture } from '#contract/message-media.ts';
import { call } from '../../../api/call.ts';
import { keyOf } from '../../../api/request.ts';
import { ConfirmDialog, Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import classes from './photos.module.css';

interface OncePhotoProps {
  matchId: string;
  seq: number;
  picture: string;
  /** The sender's name. */
  by: string;
  onClose: () => void;
  /** Why to be careful, after the question. */
  children?: ReactNode;
}

/** Opens a photo that can be viewed once, after a question, because there is no second time. Closing the dialog ends it. */
export function OncePhoto({ matchId, seq, picture, by, onClose, children }: OncePhotoProps) {
  const [hasFailed, setFailed] = useState(false);
  const opening = useMutation({
    mutationFn: async () => {
      const params = { id: matchId, seq: `${seq}` };
      return (await call(openPicture, { params, body: { picture }, headers: keyOf(picture) })).data.url;
    },
  });
  const title = t`Photo from ${{ name: by }}`;
  if (opening.data === undefined)
    return (
      <ConfirmDialog
        title={title}
        keepText={t`Not now`}
        confirmText={t`View photo`}
        busyText={t`Opening…`}
        command={opening}
        errorText={(error) => t`Couldn't open the photo: ${error}`}
        onConfirm={() => opening.mutate()}
        onClose={onClose}
      >
        {t`You can view this photo once. It disappears when you close it.`} {children}
      </ConfirmDialog>
    );
  return (
    <Dialog title={title} size="full" onClose={onClose}>
      <div className={classes.viewer}>
        {hasFailed ? (
          <Notice kind="error" onRetry={() => setFailed(false)}>
            {t`Couldn't load the photo. You can try again for ${{ count: openedPictureSeconds }} seconds after opening it.`}
          </Notice>
        ) : (
          <img
            className={classes.large}
            src={opening.data}
            alt={title}
            draggable={false}
            onError={() => setFailed(true)}
          />
        )}
      </div>
    </Dialog>
  );
}
