import { create } from 'zustand';
import { keepChoice, readChoice } from '../../../api/session/kept.ts';

/** The speeds at which voice messages can be played. */
const rates = [1, 1.5, 2];

interface Player {
  /** The message that is played, paused or loading; null if there is none. */
  id: string | null;
  state: 'loading' | 'playing' | 'paused' | 'failed';
  seconds: number;
  rate: number;
}

const rateChoice = 'voice-rate';

/** The one player of voice messages: another message stops the one before. */
export const usePlayer = create<Player>()(() => ({
  id: null,
  state: 'paused',
  seconds: 0,
  rate: rates.find((rate) => String(rate) === readChoice(rateChoice)) ?? 1,
}));

let audio: HTMLAudioElement | null = null;

/** Stops the sound and discards it; it exists only in memory. */
export function stop(): void {
  if (audio !== null) {
    audio.pause();
    URL.revokeObjectURL(audio.src);
    audio = null;
  }
  usePlayer.setState({ id: null, state: 'paused', seconds: 0 });
}

/** Plays a message from the given second, or from where it was paused. `load` returns its sound. */
export async function play(id: string, load: () => Promise<Blob>, from?: number): Promise<void> {
  if (usePlayer.getState().id !== id) {
    stop();
    usePlayer.setState({ id, seconds: from ?? 0 });
  }
  // Created at once, because browsers let a press start a sound only for a moment.
  audio ??= newAudio(id);
  const element = audio;
  try {
    if (element.src === '') {
      usePlayer.setState({ state: 'loading' });
      const blob = await load();
      if (audio !== element) return;
      element.src = URL.createObjectURL(blob);
    }
    if (from !== undefined) element.currentTime = from;
    element.playbackRate = usePlayer.getState().rate;
    await element.play();
  } catch (error) {
    if (audio !== element) return;
    // The sound took too long to arrive for this press. The next one plays it at once.
    const isPaused = error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name);
    if (!isPaused) audio = null;
    usePlayer.setState({ state: isPaused ? 'paused' : 'failed' });
  }
}

function newAudio(id: string): HTMLAudioElement {
  const element = new Audio();
  const show = (changes: Partial<Player>) => {
    if (audio === element && usePlayer.getState().id === id) usePlayer.setState(changes);
  };
  element.addEventListener('play', () => show({ state: 'playing' }));
  element.addEventListener('pause', () => show({ state: 'paused' }));
  element.addEventListener('timeupdate', () => show({ seconds: element.currentTime }));
  element.addEventListener('ended', () => {
    element.currentTime = 0;
    show({ state: 'paused', seconds: 0 });
  });
  return element;
}

/** Pauses what is played. */
export function pause(): void {
  audio?.pause();
}

/** Moves within the message that is playing or paused. */
export function seek(seconds: number): void {
  if (audio !== null) audio.currentTime = seconds;
  usePlayer.setState({ seconds });
}

/** Plays faster, or as it was recorded after the fastest. */
export function nextRate(): void {
  const rate = rates[(rates.indexOf(usePlayer.getState().rate) + 1) % rates.length] ?? 1;
  if (audio !== null) audio.playbackRate = rate;
  keepChoice(rateChoice, String(rate));
  usePlayer.setState({ rate });
}
