import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { randomKey } from '../../../api/request.ts';
import { keepFile, type Parts } from '../photos/unsent-files.ts';
import type { Recording } from './recorder.ts';
import type { Hold } from './VoicePanel.tsx';

/**
 * The voice message that is being recorded, in place of the message field, and then the recording with its caption. A recording ends while
 * the field `isTaken` by something else.
 */
export function useVoice(field: RefObject<HTMLTextAreaElement | null>, isTaken: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const [hold, setHold] = useState<Hold | null>(null);
  const [recording, setRecording] = useState<Recording | null>(null);

  if (isTaken && hold !== null) setHold(null);

  // The button that ended the recording has disappeared, so Send takes the focus.
  useEffect(() => {
    if (recording !== null) field.current?.form?.querySelector<HTMLElement>('[type=submit]')?.focus();
  }, [recording, field]);

  /** Ends the recording, or discards it. */
  function end() {
    flushSync(() => {
      setHold(null);
      setRecording(null);
    });
    button.current?.focus();
  }

  return {
    button,
    hold,
    setHold,
    recording,
    end,
    keep(made: Recording) {
      setHold(null);
      setRecording(made);
    },
    /** Passes the recording to the outbox, as a part of a message. */
    take({ file, durationMs, peaks }: Recording): Parts {
      const name = randomKey();
      keepFile(name, file);
      end();
      return { voice: { name, durationMs, peaks } };
    },
  };
}
