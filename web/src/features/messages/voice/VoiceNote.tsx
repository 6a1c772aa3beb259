import { useCallback, useEffect, useRef, useState } from 'react';
import { listMessages } from '#contract/messages.ts';
import type { MessageVoice } from '#contract/message-media.ts';
import { fetchMedia } from '../../../api/media.ts';
import { call } from '../../../api/call.ts';
import { keep, readKept } from '../../../api/session/kept.ts';
import { t } from '../../../ui/text/text.ts';
import { stop, usePlayer } from './player.ts';
import { clockOf, VoicePlayer } from './VoicePlayer.tsx';

const heardEntry = 'voices-heard';
const mostHeard = 300;
const heardIds = () => (readKept(heardEntry) ?? '').split(' ');

/** Whether a received message was played on this device. */
function useHeard(id: string): [isHeard: boolean, onPlayed: () => void] {
  const [isHeard, setHeard] = useState(() => heardIds().includes(id));
  const onPlayed = useCallback(() => {
    const others = heardIds().filter((one) => one !== id && one !== '');
    keep(heardEntry, [...others, id].slice(-mostHeard).join(' '));
    setHeard(true);
  }, [id]);
  return [isHeard, onPlayed];
}

export interface VoiceNoteProps {
  voice: MessageVoice;
  matchId: string;
  seq: number;
  isOwn: boolean;
  /** The sender's name. */
  by: string;
}

/** A sent or received voice message. It stops when its message is deleted or the conversation is closed, but not when it is scrolled away. */
export function VoiceNote({ voice, matchId, seq, isOwn, by }: VoiceNoteProps) {
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

  /** The sound. Its address works for some minutes, so that a page that was open for longer asks for another. */
  async function load(): Promise<Blob> {
    if (url === null) throw new Error('removed');
    return await fetchMedia(url).catch(async () => {
      const query = { after: seq - 1, limit: 1 };
      const { messages } = (await call(listMessages, { params: { id: matchId }, query })).data;
      return await fetchMedia(messages.find(({ voice: one }) => one?._id === id)?.voice?.url ?? '');
    });
  }

  const length = clockOf(durationMs);
  return (
    // A press here is not a press on the message around it.
    <div ref={box} role="presentation" onClick={(event) => event.stopPropagation()}>
      {url === null ? (
        t('This voice message was removed.')
      ) : (
        <VoicePlayer
          id={id}
          label={
            isOwn
              ? t('Your voice message, {length}', { length })
              : t('Voice message from {name}, {length}', { name: by, length })
          }
          durationMs={durationMs}
          peaks={peaks}
          load={load}
          isNew={!isOwn && !isHeard}
          onPlayed={onPlayed}
        />
      )}
    </div>
  );
}
