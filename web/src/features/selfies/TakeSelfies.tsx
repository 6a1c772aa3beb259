import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type OwnSelfie, poses, type SelfieShot, selfieShots } from '#contract/photo-verification.ts';
import { ErrorNotice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { formatTime } from '../../ui/text/format.ts';
import { t } from '../../ui/text/text.ts';
import { Camera } from './Camera.tsx';
import { PoseDrawing } from './PoseDrawing.tsx';
import { useDrawPose, useSendSelfies, useUploadSelfie, useWithdrawSelfies } from './queries.ts';

/** The pictures that were just taken, as addresses of this page. The server never returns them. */
function usePreviews() {
  const [urls, setUrls] = useState<Partial<Record<SelfieShot, string>>>({});
  const made = useRef<string[]>([]);
  useEffect(
    () => () => {
      for (const url of made.current) URL.revokeObjectURL(url);
    },
    [],
  );

  function put(shot: SelfieShot, file: File) {
    const url = URL.createObjectURL(file);
    made.current.push(url);
    setUrls((before) => ({ ...before, [shot]: url }));
  }

  return { urls, put };
}

interface ShotProps {
  shot: SelfieShot;
  check: OwnSelfie;
  onTaken: (file: File) => void;
}

/** One of the two pictures: what to do, and the camera. */
function Shot({ shot, check, onTaken }: ShotProps) {
  const upload = useUploadSelfie();
  const another = useDrawPose();
  const isPosed = shot === 'posed';
  return (
    <Stack>
      <Group gap="1.25rem" wrap="nowrap">
        <PoseDrawing pose={isPosed ? check.pose : null} />
        <div>
          <Hint>{isPosed ? t('Picture 2 of 2') : t('Picture 1 of 2')}</Hint>
          <Title order={2} fz="1.3rem" tabIndex={-1}>
            {isPosed ? t(poses[check.pose]) : t('Look into the camera')}
          </Title>
          <Text mt="0.3rem">{t('Good light on your face, no filter. Nobody else in the picture.')}</Text>
        </div>
      </Group>
      <ErrorNotice error={upload.error ?? another.error} text="Couldn't use this picture: {error}" />
      <Camera
        key={shot}
        isBusy={upload.isPending}
        onShot={(file) => upload.mutate({ id: check._id, shot, file }, { onSuccess: () => onTaken(file) })}
      />
      {isPosed && (
        <div>
          <Button variant="subtle" color="gray" size="sm" onClick={() => !another.isPending && another.mutate(true)}>
            {t("I can't do this pose")}
          </Button>
        </div>
      )}
    </Stack>
  );
}

interface ReviewProps {
  check: OwnSelfie;
  urls: Partial<Record<SelfieShot, string>>;
  onRetake: (shot: SelfieShot) => void;
}

/** Both pictures before they are sent; each can be taken again. */
function Review({ check, urls, onRetake }: ReviewProps) {
  const send = useSendSelfies();
  return (
    <Stack>
      <Title order={2} fz="1.3rem">
        {t('Send these two pictures?')}
      </Title>
      <Box display="grid" style={{ gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', gap: '0.75rem' }}>
        {selfieShots.map((shot) => (
          <Stack key={shot} gap="0.4rem">
            {urls[shot] === undefined ? (
              <Hint>{t('Taken before this page was reloaded.')}</Hint>
            ) : (
              <img
                src={urls[shot]}
                alt={shot === 'front' ? t('Your face') : t(poses[check.pose])}
                style={{ width: '100%', borderRadius: 'var(--mantine-radius-md)' }}
              />
            )}
            <div>
              <Button variant="default" size="xs" onClick={() => onRetake(shot)}>
                {shot === 'front' ? t('Retake picture 1') : t('Retake picture 2')}
              </Button>
            </div>
          </Stack>
        ))}
      </Box>
      <ErrorNotice error={send.error} text="Couldn't send them: {error}" />
      <Buttons>
        <BusyButton isBusy={send.isPending} busyText={t('Sending...')} onClick={() => send.mutate(check._id)}>
          {t('Send for review')}
        </BusyButton>
      </Buttons>
    </Stack>
  );
}

/** Takes both selfies one after the other, shows them, and sends them. */
export function TakeSelfies({ check }: { check: OwnSelfie }) {
  const { urls, put } = usePreviews();
  const [retaken, setRetaken] = useState<SelfieShot | null>(null);
  const withdraw = useWithdrawSelfies();
  const shot = retaken ?? selfieShots.find((one) => !check.shots.includes(one));

  return (
    <Stack gap="1.25rem">
      {shot === undefined ? (
        <Review check={check} urls={urls} onRetake={setRetaken} />
      ) : (
        <Shot
          key={`${check._id} ${shot}`}
          shot={shot}
          check={check}
          onTaken={(file) => {
            put(shot, file);
            setRetaken(null);
          }}
        />
      )}
      <Group gap="0.5rem 1rem">
        {check.sendUntil !== null && (
          <Hint>{t('This pose is valid until {time}.', { time: formatTime(check.sendUntil) })}</Hint>
        )}
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          onClick={() => !withdraw.isPending && withdraw.mutate(check._id)}
        >
          {t('Cancel and delete')}
        </Button>
      </Group>
      <ErrorNotice error={withdraw.error} text="Couldn't delete them: {error}" />
    </Stack>
  );
}
