import { plural, t } from '@lingui/core/macro';
import { ActionIcon, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { IconCamera, IconPhotoPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { messageMaxLength, messagePicturesMax } from '#contract/constants.ts';
import { loadedHistory } from '../../../api/realtime/loaded-history.ts';
import { newest } from '../../../api/realtime/message-history.ts';
import { randomKey } from '../../../api/request.ts';
import { keepChoice, readChoice } from '../../../api/session/kept.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { ConfirmDialog } from '../../../ui/feedback/FormDialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { CheckField, TextArea } from '../../../ui/form/Field.tsx';
import { lengthOf } from '../../../ui/text/text.ts';
import { post } from '../outbox.ts';
import classes from './photos.module.css';
import { keepFile } from './unsent-files.ts';
import { usePhotoInput } from './use-photo-input.tsx';
import { type Prepared, usePrepared } from './use-prepared.ts';

interface PhotoDialogProps {
  matchId: string;
  /** The other person's name. */
  name: string;
  files: readonly File[];
  /** The text that becomes the caption. */
  draft: string;
  onSent: () => void;
  onClose: () => void;
}

const questionOf = (matchId: string) => `photo-question:${matchId}`;

/** Whether a photo may be unwanted in a conversation: no one has sent one, and the member was not asked before. */
const mayBeUnwanted = (matchId: string) =>
  readChoice(questionOf(matchId)) === null &&
  newest(loadedHistory(matchId), ({ pictures }) => pictures !== undefined) === null;

/** Asks whether the first photo of a conversation is welcome. */
function WelcomeQuestion({ onSend, onClose }: { onSend: () => void; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={t`Are you sure this is welcome?`}
      cancelText={t`Back`}
      confirmText={t`Send`}
      onConfirm={onSend}
      onClose={onClose}
    >
      {t`It's the first photo in this conversation. Nude or sexual photos that no one asked for are against our rules.`}
    </ConfirmDialog>
  );
}

/**
 * Shows the chosen photos and sends them as one message: with a caption, and as view-once if the member wants. Asks once whether the first
 * photo of a conversation is welcome.
 */
export function PhotoDialog({ matchId, name, files, draft, onSent, onClose }: PhotoDialogProps) {
  const { photos, leftOut, add, remove } = usePrepared(files);
  const [caption, setCaption] = useState(draft);
  const [isOnce, setOnce] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const isPreparing = photos.some(({ ready, error }) => ready === null && error === null);
  const usable = photos.flatMap(({ ready }) => ready ?? []);
  const isTooLong = lengthOf(caption.trim()) > messageMaxLength;

  function send() {
    if (usable.length === 0 || isTooLong) return;
    if (!isAsking && mayBeUnwanted(matchId)) return setAsking(true);
    keepChoice(questionOf(matchId), 'asked');
    const pictures = usable.map(({ file, width, height }) => {
      const kept = randomKey();
      keepFile(kept, file);
      return { name: kept, width, height };
    });
    post(matchId, caption.trim(), { pictures, ...(isOnce && { isOnce }) });
    onSent();
    onClose();
  }

  if (isAsking) return <WelcomeQuestion onSend={send} onClose={() => setAsking(false)} />;
  return (
    <Dialog
      title={t`Send photos to ${name}`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <BusyButton
            isBusy={isPreparing}
            busyText={t`Preparing…`}
            disabled={!isPreparing && (usable.length === 0 || isTooLong)}
            onClick={send}
          >
            {t`${plural({ count: usable.length }, { 0: 'Send', one: 'Send photo', other: 'Send # photos' })}`}
          </BusyButton>
        </>
      }
    >
      <Stack gap="1rem">
        {leftOut > 0 && (
          <Notice kind="info">{t`You can send up to ${{ most: messagePicturesMax }} photos at once.`}</Notice>
        )}
        <ul className={classes.chosen} aria-label={t`Chosen photos`}>
          {photos.map((photo, index) => (
            <ChosenPhoto key={photo.key} photo={photo} number={index + 1} onRemove={() => remove(photo.key)} />
          ))}
        </ul>
        {photos.length < messagePicturesMax && <AddPhotos onAdd={add} />}
        <TextArea
          label={t`Caption`}
          rows={2}
          value={caption}
          error={isTooLong ? t`Use at most ${{ most: messageMaxLength }} characters` : undefined}
          onChange={(event) => setCaption(event.currentTarget.value)}
        />
        <CheckField
          label={t`View once`}
          description={t`They can open it once. Screenshots are still possible.`}
          checked={isOnce}
          onChange={(event) => setOnce(event.currentTarget.checked)}
        />
      </Stack>
    </Dialog>
  );
}

function ChosenPhoto({ photo, number, onRemove }: { photo: Prepared; number: number; onRemove: () => void }) {
  const { preview, error, name } = photo;
  return (
    <li className={classes.choice} data-failed={error !== null || undefined}>
      {preview === null ? (
        error === null && <Loader size="sm" aria-label={t`Preparing photo ${number}`} />
      ) : (
        <img src={preview} alt={t`Photo ${number}: ${name}`} />
      )}
      {error !== null && (
        <Text role="alert" fz="small" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
      <ActionIcon
        className={classes.remove ?? ''}
        variant="transparent"
        size={36}
        aria-label={t`Remove photo ${number}`}
        onClick={({ currentTarget }) => {
          // The pressed button disappears.
          const choice = currentTarget.closest('li');
          const near =
            choice?.nextElementSibling ?? choice?.previousElementSibling ?? choice?.parentElement?.nextElementSibling;
          near?.querySelector('button')?.focus();
          onRemove();
        }}
      >
        <IconX size={18} stroke={1.75} />
      </ActionIcon>
    </li>
  );
}

/** Buttons for more photos from the device and, on phones, from the camera. */
function AddPhotos({ onAdd }: { onAdd: (files: readonly File[]) => void }) {
  const [device, openDevice] = usePhotoInput(t`More photos`, onAdd);
  const [camera, openCamera] = usePhotoInput(t`A photo from the camera`, onAdd, true);
  const button = (text: string, Icon: typeof IconCamera, onPress: () => void) => (
    <Button variant="default" leftSection={<Icon size={18} stroke={1.75} aria-hidden="true" />} onClick={onPress}>
      {text}
    </Button>
  );
  return (
    <Group gap="0.5rem">
      {device}
      {button(t`Add photos`, IconPhotoPlus, openDevice)}
      {camera}
      {matchMedia('(pointer: coarse)').matches && button(t`Take a photo`, IconCamera, openCamera)}
    </Group>
  );
}
