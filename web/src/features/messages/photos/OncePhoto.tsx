import { t } from '@lingui/core/macro';
import { Box, Button, Stack, Text } from '@mantine/core';
import { IconHexagonNumber1 } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { openedPictureSeconds } from '#contract/constants.ts';
import { openPicture } from '#contract/messages/message-media.ts';
import { call } from '../../../api/call.ts';
import { keyOf } from '../../../api/request.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import '../../../ui/feedback/screen.css';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import classes from './photos.module.css';

/** The button that opened the photo has disappeared. */
const focus = (photo: HTMLElement | null) => photo?.focus();

interface OncePhotoProps {
  matchId: string;
  seq: number;
  picture: string;
  /** The sender's name. */
  by: string;
  onClose: () => void;
  /** The warning after the question. */
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
  return (
    <Dialog title={title} size="screen" onClose={onClose}>
      {opening.data === undefined ? (
        <Stack m="auto" p="var(--hw-gutter)" maw="26rem" gap="1.25rem" align="center" ta="center">
          <IconHexagonNumber1 size={56} stroke={1.25} aria-hidden="true" />
          <Text fz="lead">
            {t`You can view this photo once. It disappears when you close it.`} {children}
          </Text>
          <ErrorNotice error={opening.error} text={(error) => t`Couldn't open the photo: ${error}`} />
          <BusyButton isBusy={opening.isPending} busyText={t`Opening…`} onClick={() => opening.mutate()}>
            {t`View photo`}
          </BusyButton>
          <Button variant="subtle" c="inherit" onClick={onClose}>
            {t`Not now`}
          </Button>
        </Stack>
      ) : hasFailed ? (
        <Box m="auto" p="var(--hw-gutter)">
          <Notice kind="error" onRetry={() => setFailed(false)}>
            {t`Couldn't load the photo. You can try again for ${{ count: openedPictureSeconds }} seconds after opening it.`}
          </Notice>
        </Box>
      ) : (
        <img
          ref={focus}
          tabIndex={-1}
          className={classes.full}
          src={opening.data}
          alt={title}
          draggable={false}
          onError={() => setFailed(true)}
        />
      )}
    </Dialog>
  );
}
