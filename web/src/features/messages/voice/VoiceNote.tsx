import { t } from '@lingui/core/macro';
import { useCallback, useEffect, useRef, useState } from 'react';
import { listMessages, type MessageView } from '#contract/messages/messages.ts';
import { call } from '../../../api/call.ts';
import { fetchMedia } from '../../../api/media.ts';
import { keep, readKept } from '../../../api/session/kept.ts';
import type { UnsentVoice as UnsentVoiceFile } from '../photos/unsent-files.ts';
import { readFile } from '../photos/unsent-files.ts';
import { stop, usePlayer } from './player.ts';
import { clockOf, VoicePlayer } from './VoicePlayer.tsx';

const heardEntry = 'voices-heard';
const mostHeard = 300;
const heardIds = () => (readKept(heardEntry) ?? '').split(' ');

/** Whether a received message was played on this device. */
function useHeard(id: string): [isHeard: boolean, onPlayed: () => void] {
  const [isHeard, setHeard] = useState(() => heardIds().includes(id));
  const onPlayed = useCallback(() => {
    keep(heardEntry, [...heardIds().filter((one) => one !== id), id].slice(-mostHeard).join(' '));
    setHeard(true);
  }, [id]);
  return [isHeard, onPlayed];
}

const ownLabel = (length: string) => t`Your voice message, ${length}`;

/** A voice message that was not sent yet. */
export function UnsentVoice({ voice: { name, durationMs, peaks } }: { voice: UnsentVoiceFile }) {
  const load = async () => (await readFile(name)) ?? Promise.reject(new Error('The file is gone'));
  return <VoicePlayer {...{ durationMs, peaks, load }} id={name} label={ownLabel(clockOf(durationMs))} />;
}

interface VoiceNoteProps {
  message: Pick<MessageView, 'seq'> & { voice: NonNullable<MessageView['voice']> };
  matchId: string;
  /** The other person's name; null for the viewer's own message. */
  by: string | null;
}

/** A voice message. It stops when it is deleted or the conversation is closed, but not when it is scrolled away. */
export function VoiceNote({ message: { seq, voice }, matchId, by }: VoiceNoteProps) {
  const { _id: id, url, durationMs, peaks } = voice;
  const box = useRef<HTMLDivElement>(null);
  const [isHeard, onPlayed] = useHeard(id);

  useEffect(() => {
    const row = box.current?.closest('li');
    const list = row?.parentElement;
    return () => {
      const isScrolledAway = list?.isConnected === true && row?.isConnected === false;
      if (!isScrolledAway && usePlayer.getState().id === id) stop();
    };
  }, [id]);

  /** The sound. Its address works for some minutes, so a page that was open for longer requests another one. */
  async function load(): Promise<Blob> {
    return await fetchMedia(url ?? '').catch(async () => {
      const query = { after: seq - 1, limit: 1 };
      const { messages } = (await call(listMessages, { params: { id: matchId }, query })).data;
      return await fetchMedia(messages[0]?.voice?.url ?? '');
    });
  }

  const length = clockOf(durationMs);
  const label = by === null ? ownLabel(length) : t`Voice message from ${by}, ${length}`;
  return (
    // A press here is not a press on the message around it.
    <div ref={box} role="presentation" onClick={(event) => event.stopPropagation()}>
      {url === null ? (
        t`This voice message isn't available.`
      ) : (
        <VoicePlayer {...{ id, label, durationMs, peaks, load, onPlayed }} isNew={by !== null && !isHeard} />
      )}
    </div>
  );
}
