import { t } from '@lingui/core/macro';
import { ActionIcon } from '@mantine/core';
import { IconMicrophone } from '@tabler/icons-react';
import { type Ref, useEffect, useRef } from 'react';
import type { Hold } from './VoicePanel.tsx';
import classes from './voice.module.css';

/** How far a finger must slide to lock or cancel a recording. */
const slidePx = 70;

/** Loads the code for voice messages, so that they can be recorded and stored without a network. */
function loadForOffline(): void {
  void Promise.allSettled([import('./VoicePanel.tsx'), import('../photos/upload-parts.ts')]);
}

interface VoiceButtonProps {
  ref: Ref<HTMLButtonElement>;
  /** Null while nothing is recorded. */
  hold: Hold | null;
  onHold: (hold: Hold) => void;
  onCancel: () => void;
}

/** Records a voice message, while the button is held or from one press to the next. */
export function VoiceButton({ ref, hold, onHold, onCancel }: VoiceButtonProps) {
  const from = useRef({ x: 0, y: 0 });
  useEffect(loadForOffline, []);

  function slide(x: number, y: number) {
    if (hold !== 'held') return;
    if (from.current.y - y > slidePx) onHold('locked');
    else if (Math.abs(from.current.x - x) > slidePx) onCancel();
  }

  return (
    <ActionIcon
      ref={ref}
      className={classes.microphone ?? ''}
      // The recording is shown over the button, which still has to be there for the pointer that holds it.
      style={hold === 'held' ? { visibility: 'visible', opacity: 0 } : undefined}
      variant="subtle"
      color="gray"
      size={44}
      radius="xl"
      aria-label={t`Record a voice message`}
      onPointerDown={(event) => {
        if (event.button !== 0 || hold !== null) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, y: event.clientY };
        onHold('held');
      }}
      onPointerMove={({ clientX, clientY }) => slide(clientX, clientY)}
      onLostPointerCapture={() => hold === 'held' && onHold('released')}
      // After a pointer, the recording has started already, or was canceled by a slide.
      onClick={({ detail }) => detail === 0 && hold === null && onHold('locked')}
      onContextMenu={(event) => event.preventDefault()}
    >
      <IconMicrophone size={22} stroke={1.75} />
    </ActionIcon>
  );
}
