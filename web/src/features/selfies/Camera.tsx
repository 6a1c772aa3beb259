import { t } from '@lingui/core/macro';
import { Button, FileButton, Stack } from '@mantine/core';
import { IconCamera, IconUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { openStream, stopStream } from '../../ui/media-stream.ts';

const accepted = 'image/jpeg,image/png,image/webp';
const wanted = { video: { facingMode: 'user', width: { ideal: 1280 }, height: { ideal: 1280 } } };

/** The camera that faces the person, if the browser has one and the person allows it. */
function useCamera() {
  const video = useRef<HTMLVideoElement>(null);
  const stream = useRef<MediaStream | null>(null);
  const [state, setState] = useState<'off' | 'on' | 'refused'>('off');

  // Turns the camera's light off when the page is left.
  useEffect(() => () => stopStream(stream.current), []);

  async function start() {
    try {
      await openStream(wanted, (opened) => {
        if (video.current === null) throw new Error('The page was left');
        video.current.srcObject = opened;
        // A second press has opened another one.
        stopStream(stream.current);
        stream.current = opened;
      });
      setState('on');
    } catch {
      setState('refused');
    }
  }

  // On phones, the button below would be outside the screen.
  useEffect(() => {
    if (state === 'on') video.current?.scrollIntoView({ block: 'center' });
  }, [state]);

  /** The picture that the camera shows now. */
  async function take(): Promise<File | null> {
    const source = video.current;
    if (source === null || source.videoWidth === 0) return null;
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [source.videoWidth, source.videoHeight];
    canvas.getContext('2d')?.drawImage(source, 0, 0);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9));
    return blob && new File([blob], 'selfie.jpg', { type: blob.type });
  }

  return { video, state, start, take };
}

interface CameraProps {
  /** A picture is being uploaded. */
  isBusy: boolean;
  onShot: (file: File) => void;
}

/** Takes a picture with the camera, or uploads one, because not every device has a camera that works here. */
export function Camera({ isBusy, onShot }: CameraProps) {
  const { video, state, start, take } = useCamera();
  const isOn = state === 'on';

  async function press() {
    if (!isOn) return await start();
    const file = await take();
    if (file !== null) onShot(file);
  }

  return (
    <Stack>
      <video
        ref={video}
        autoPlay
        playsInline
        muted
        hidden={!isOn}
        aria-label={t`What your camera sees`}
        // Mirrored, as people know themselves; the picture itself is not.
        style={{ width: '100%', maxHeight: '36dvh', transform: 'scaleX(-1)' }}
      />
      {state === 'refused' && (
        <Notice kind="warning">
          {t`We can't use the camera. Allow it in your browser, or take the picture with another app and upload it.`}
        </Notice>
      )}
      <Buttons>
        <BusyButton
          isBusy={isBusy}
          busyText={t`Uploading...`}
          leftSection={<IconCamera size={20} stroke={1.75} aria-hidden="true" />}
          onClick={() => void press()}
        >
          {isOn ? t`Take picture` : t`Open camera`}
        </BusyButton>
        <FileButton accept={accepted} onChange={(file) => file !== null && !isBusy && onShot(file)}>
          {(button) => (
            <Button
              {...button}
              variant="default"
              leftSection={<IconUpload size={18} stroke={1.75} aria-hidden="true" />}
            >
              {t`Upload a picture`}
            </Button>
          )}
        </FileButton>
      </Buttons>
    </Stack>
  );
}
