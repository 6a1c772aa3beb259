import { voiceMaxSeconds } from '#contract/constants.ts';
import { openStream, stopStream } from '../../../ui/media-stream.ts';

/** A recorded voice message. */
export interface Recording {
  file: File;
  durationMs: number;
  /** Levels from 0 to 100. */
  peaks: number[];
  /** Nothing at all was heard. */
  isSilent: boolean;
}

/** A recording that is being made. */
export interface Recorder {
  stop(): void;
  /** Discards the recording. */
  cancel(): void;
}

interface RecorderEvents {
  /**
   * Called ten times a second with the level, from 0 to 100, the time since the start, and whether the microphone has
   * been silent for a while.
   */
  onLevel: (level: number, ms: number, isSilent: boolean) => void;
  /** Called when it ended, by `stop`, after a minute, or because the microphone is gone; null if nothing was recorded. */
  onEnd: (recording: Recording | null) => void;
}

const everyMs = 100;
/** People rarely pause for this long, so the microphone is probably muted. */
const silentMs = 3000;
const wanted = { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true };
/**
 * Opus first, and in MP4 before WebM, because Safari can't play its own WebM. AAC only if nothing else can be recorded. Speech needs no
 * higher rates than these.
 */
const formats = [
  { mimeType: 'audio/mp4;codecs=opus', audioBitsPerSecond: 32_000 },
  { mimeType: 'audio/webm;codecs=opus', audioBitsPerSecond: 32_000 },
  { mimeType: 'audio/ogg;codecs=opus', audioBitsPerSecond: 32_000 },
  { mimeType: 'audio/mp4', audioBitsPerSecond: 48_000 },
];
const formatOf = () => formats.find(({ mimeType }) => MediaRecorder.isTypeSupported(mimeType));

/** Whether this browser can record voice messages. */
export const canRecord = (): boolean =>
  'mediaDevices' in navigator && typeof MediaRecorder === 'function' && formatOf() !== undefined;

/** Asks for the microphone and starts to record. Rejects if there is none, or the member refuses. */
export const startRecorder = (events: RecorderEvents): Promise<Recorder> =>
  openStream({ audio: wanted }, (stream) => record(stream, events));

function record(stream: MediaStream, { onLevel, onEnd }: RecorderEvents): Recorder {
  const media = new MediaRecorder(stream, formatOf());
  const startedAt = performance.now();
  media.start();
  const meter = meterOf(stream);
  const [parts, levels]: [Blob[], number[]] = [[], []];
  let silentLevels = 0;
  const timeMs = () => Math.min(Math.round(performance.now() - startedAt), voiceMaxSeconds * 1000);
  const stop = () => media.state !== 'inactive' && media.stop();
  const timer = setInterval(() => {
    const level = meter?.level() ?? null;
    levels.push(level ?? 0);
    silentLevels = level === 0 ? silentLevels + 1 : 0;
    const isMuted = stream.getTracks().some(({ muted }) => muted);
    onLevel(level ?? 0, timeMs(), isMuted || silentLevels * everyMs >= silentMs);
    if (timeMs() === voiceMaxSeconds * 1000) stop();
  }, everyMs);
  let isCanceled = false;
  media.addEventListener('dataavailable', ({ data }) => parts.push(data));
  media.addEventListener('stop', () => {
    clearInterval(timer);
    meter?.end();
    stopStream(stream);
    const file = new File(parts, 'voice', { type: media.mimeType });
    const isSilent = silentLevels > 0 && silentLevels === levels.length;
    const peaks = toPeaks(levels.length > 0 ? levels : [0]);
    if (!isCanceled) onEnd(file.size === 0 ? null : { file, durationMs: timeMs(), peaks, isSilent });
  });
  for (const track of stream.getTracks()) track.addEventListener('ended', stop);
  return {
    stop,
    cancel() {
      isCanceled = true;
      stop();
    },
  };
}

/** Quieter sound counts as silence (in decibels), and sound louder by the second number is the maximum. */
const [quietDb, rangeDb] = [-50, 42];

interface Meter {
  /** From 0 to 100; null while it measures nothing. */
  level(): number | null;
  end(): void;
}

/** Measures the level of a microphone; null if that is impossible, as in Firefox at some sample rates. */
function meterOf(stream: MediaStream): Meter | null {
  let context: AudioContext | null = null;
  try {
    const made = (context = new AudioContext());
    const analyser = made.createAnalyser();
    made.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    return {
      level() {
        if (made.state !== 'running') return null;
        analyser.getFloatTimeDomainData(samples);
        const power = samples.reduce((sum, one) => sum + one * one, 0) / samples.length;
        const level = ((10 * Math.log10(power + 1e-9) - quietDb) / rangeDb) * 100;
        return Math.round(Math.min(100, Math.max(0, level)));
      },
      end: () => void made.close(),
    };
  } catch {
    void context?.close();
    return null;
  }
}

/** How many levels a waveform has, so that its bars stay apart on a phone. */
export const waveBars = 40;

/** The levels of a waveform, each the loudest of its part. */
export function toPeaks(levels: readonly number[]): number[] {
  const count = Math.min(levels.length, waveBars);
  const start = (at: number) => Math.floor((at * levels.length) / count);
  return Array.from({ length: count }, (_, at) => Math.max(...levels.slice(start(at), start(at + 1))));
}
