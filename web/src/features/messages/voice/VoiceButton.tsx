import { t } from '@lingui/core/macro';
import { ActionIcon } from '@mantine/core';
import { IconMicrophone } from '@tabler/icons-react';
import { lazy, useEffect, useRef, useState } from 'react';
import { LazyBoundary } from '../../../ui/loading/LazyBoundary.tsx';
import type { Hold } from './VoicePanel.tsx';
import classes from './voice.module.css';

const VoicePanel = lazy(async () => ({ default: (await import('./VoicePanel.tsx')).VoicePanel }));

/** How far a finger slides to lock or cancel a recording. */
const slidePx = 70;

/** Loads what voice messages need, so that they can be recorded and kept without a network. */
function loadForOffline(): void {
  void Promise.allSettled([import('./VoicePanel.tsx'), import('../photos/upload-parts.ts')]);
}

/** Records a voice message: as long as it is held, or from one press to the next. */
export function VoiceButton({ matchId }: { matchId: string }) {
  const button = useRef<HTMLButtonElement>(null);
  const from = useRef({ x: 0, y: 0 });
  const [hold, setHold] = useState<Hold | null>(null);
  useEffect(loadForOffline, []);

  function close() {
    setHold(null);
    button.current?.focus();
  }

  function slide(x: number, y: number) {
    if (hold !== 'held') return;
    if (from.current.y - y > slidePx) setHold('locked');
    else if (Math.abs(from.current.x - x) > slidePx) close();
  }

  return (
    <>
      <ActionIcon
        ref={button}
        className={classes.microphone ?? ''}
        variant="subtle"
        color="gray"
        size={44}
        radius="xl"
        aria-label={t`Record a voice message`}
        aria-expanded={hold !== null}
        onPointerDown={(event) => {
          if (event.button !== 0 || hold !== null) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          from.current = { x: event.clientX, y: event.clientY };
          setHold('held');
        }}
        onPointerMove={({ clientX, clientY }) => slide(clientX, clientY)}
        onLostPointerCapture={() => setHold((now) => (now === 'held' ? 'released' : now))}
        // After a pointer, the panel is open already, or was canceled by a slide.
        onClick={({ detail }) => detail === 0 && hold === null && setHold('locked')}
        onContextMenu={(event) => event.preventDefault()}
      >
        <IconMicrophone size={22} stroke={1.75} />
      </ActionIcon>
      {hold !== null && (
        <LazyBoundary onClose={close}>
          <VoicePanel matchId={matchId} hold={hold} onClose={close} />
        </LazyBoundary>
      )}
    </>
  );
}
