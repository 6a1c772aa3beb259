import { t } from '@lingui/core/macro';
import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type OwnSelfie, poses, type SelfieShot, selfieShots } from '#contract/photo-verification.ts';
import { ErrorNotice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { Panel } from '../../ui/layout/Page.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { clockTime } from '../../ui/text/format.ts';
import { Camera } from './Camera.tsx';
import { PoseDrawing } from './PoseDrawing.tsx';
import { useDrawPose, useSendSelfies, useUploadSelfie, useWithdrawSelfies } from './queries.ts';

/** The pictures that were just taken, as addresses of this page, because the server never returns them. */
function usePreviews() {
  const [urls, setUrls] = useState<Partial<Record<SelfieShot, string>>>({});
  const made = useRef<string[]>([]);
  useEffect(() => () => made.current.forEach((url) => URL.revokeObjectURL(url)), []);

  function put(shot: SelfieShot, file: File) {
    const url = URL.createObjectURL(file);
    made.current.push(url);
    setUrls((before) => ({ ...before, [shot]: url }));
  }

  return { urls, put };
}

/** The text that asks for one of the pictures. */
const wordsOf = (shot: SelfieShot, { pose }: OwnSelfie) =>
  shot === 'posed' ? t(poses[pose]) : t`Look into the camera`;

/** The instruction for one of the two pictures. */
function Instruction({ shot, check }: { shot: SelfieShot; check: OwnSelfie }) {
  const isPosed = shot === 'posed';
  return (
    <Group gap="1.25rem" wrap="nowrap">
      <PoseDrawing pose={isPosed ? check.pose : null} />
      <div>
        <Hint>{isPosed ? t`Picture 2 of 2` : t`Picture 1 of 2`}</Hint>
        <Title order={3}>{wordsOf(shot, check)}</Title>
        <Text mt="0.3rem">{t`Good light on your face, no filter, no one else in the picture.`}</Text>
      </div>
    </Group>
  );
}

/** Takes both selfies one after the other, shows them, and sends them. */
export function TakeSelfies({ check }: { check: OwnSelfie }) {
  const { urls, put } = usePreviews();
  const [retaken, setRetaken] = useState<SelfieShot | null>(null);
  const [upload, another, send, withdraw] = [useUploadSelfie(), useDrawPose(), useSendSelfies(), useWithdrawSelfies()];
  // No one sends what they can't see, so after a reload both are taken again.
  const shot = retaken ?? selfieShots.find((one) => urls[one] === undefined || !check.shots.includes(one));

  function onShot(taken: SelfieShot, file: File) {
    const onSuccess = () => {
      put(taken, file);
      setRetaken(null);
    };
    upload.mutate({ id: check._id, shot: taken, file }, { onSuccess });
  }

  return (
    <Panel title={shot === undefined ? t`Send these two pictures?` : t`Take two selfies`}>
      <Stack>
        {shot === undefined ? (
          <Box display="grid" style={{ gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', gap: '0.75rem' }}>
            {selfieShots.map((one, at) => (
              <Stack key={one} gap="0.4rem" align="flex-start">
                {urls[one] !== undefined && <img src={urls[one]} alt={wordsOf(one, check)} style={{ width: '100%' }} />}
                <Button variant="default" size="xs" onClick={() => setRetaken(one)}>
                  {t`Retake picture ${{ number: at + 1 }}`}
                </Button>
              </Stack>
            ))}
          </Box>
        ) : (
          <>
            <Instruction shot={shot} check={check} />
            <Camera isBusy={upload.isPending} onShot={(file) => onShot(shot, file)} />
          </>
        )}
        <ErrorNotice
          error={upload.error ?? another.error ?? send.error ?? withdraw.error}
          text={(error) => t`That didn't work: ${error}`}
        />
        <Group gap="0.5rem">
          {shot === undefined && (
            <BusyButton isBusy={send.isPending} busyText={t`Sending...`} onClick={() => send.mutate(check._id)}>
              {t`Send for review`}
            </BusyButton>
          )}
          {shot === 'posed' && (
            <Button variant="subtle" color="gray" onClick={() => !another.isPending && another.mutate(true)}>
              {t`I can't do this pose`}
            </Button>
          )}
          <Button variant="subtle" color="gray" onClick={() => !withdraw.isPending && withdraw.mutate(check._id)}>
            {t`Cancel and delete`}
          </Button>
        </Group>
        {check.sendUntil !== null && <Hint>{t`Send both pictures by ${{ time: clockTime(check.sendUntil) }}.`}</Hint>}
      </Stack>
    </Panel>
  );
}
