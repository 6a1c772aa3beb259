import { voiceMaxSeconds, voicePeaksMax } from '#contract/constants.ts';

/** A recorded voice message. */
export interface Recording {
  file: File;
  durationMs: number;
  /** Levels from 0 to 100. */
  peaks: number[];
}

/** A recording that is being made. */
export interface Recorder {
  stop(): void;
  /** Throws away what was recorded. */
  cancel(): void;
}

interface RecorderEvents {
  /** Called ten times a second with the level, from 0 to 100, and the time since the start. */
  onLevel: (level: number, ms: number) => void;
  /** Called once when it has ended, by `stop`, after a minute, or because the microphone is gone; null if nothing was recorded. */
  onEnd: (recording: Recording | null) => void;
}

const everyMs = 100;
/**
 * Opus first, and in MP4 before WebM, because Safari can't play its own WebM. AAC only where nothing else records. Speech needs no more
 * than these rates.
 */
const formats = [
  { mimeType: 'audio/mp4;codecs=opus', audioBitsPerSecond: 32_000 },
  { mimeType: 'audio/webm;codecs=opus', audioBitsPerSecond: 32_000 },
  { mimeType: 'audio/ogg;codecs=opus', audioBitsPerSecond: 32_000 },
  { mimeType: 'audio/mp4', audioBitsPerSecond: 48_000 },
];
/** What is quieter counts as silence, in decibels, and how much louder is as loud as it gets. */
const [quietDb, rangeDb] = [-50, 42];

const formatOf = () => formats.find(({ mimeType }) => MediaRecorder.isTypeSupported(mimeType));

/** Whether this browser can record voice messages at all. */
export const canRecord = (): boolean =>
  'mediaDevices' in navigator && typeof MediaRecorder === 'function' && formatOf() !== undefined;

/** Asks for the microphone and starts to record. Rejects if there is none, or the member refuses. */
export async function startRecorder({ onLevel, onEnd }: RecorderEvents): Promise<Recorder> {
  const wanted = { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true };
  const stream = await navigator.mediaDevices.getUserMedia({ audio: wanted });
  const media = new MediaRecorder(stream, formatOf());
  const readLevel = levelReader(stream);
  const parts: Blob[] = [];
  const levels: number[] = [];
  const startedAt = performance.now();
  let isCanceled = false;
  const stop = () => media.state !== 'inactive' && media.stop();
  const timer = setInterval(() => {
    const ms = performance.now() - startedAt;
    const level = readLevel.level();
    levels.push(level);
    onLevel(level, ms);
    if (ms >= voiceMaxSeconds * 1000) stop();
  }, everyMs);
  media.addEventListener('dataavailable', ({ data }) => parts.push(data));
  media.addEventListener('stop', () => {
    const durationMs = Math.min(Math.round(performance.now() - startedAt), voiceMaxSeconds * 1000);
    clearInterval(timer);
    readLevel.end();
    // The browser's sign that it listens disappears.
    for (const track of stream.getTracks()) track.stop();
    const file = new File(parts, 'voice', { type: media.mimeType });
    onEnd(isCanceled || file.size === 0 ? null : { file, durationMs, peaks: toPeaks(levels) });
  });
  for (const track of stream.getTracks()) track.addEventListener('ended', stop);
  media.start();
  return {
    stop,
    cancel() {
      isCanceled = true;
      stop();
    },
  };
}

/** Reads how loud a microphone is; without `AudioContext`, it is always silent. */
function levelReader(stream: MediaStream) {
  if (typeof AudioContext !== 'function') return { level: () => 0, end: () => undefined };
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    level() {
      if (context.state === 'suspended') void context.resume();
      analyser.getFloatTimeDomainData(samples);
      const loudness = samples.reduce((sum, one) => sum + one * one, 0) / samples.length;
      const level = ((10 * Math.log10(loudness + 1e-9) - quietDb) / rangeDb) * 100;
      return Math.round(Math.min(100, Math.max(0, level)));
    },
    end: () => void context.close(),
  };
}

/** As many levels as a voice message may have, each the loudest of its part. */
export function toPeaks(levels: readonly number[]): number[] {
  const count = Math.min(levels.length, voicePeaksMax);
  return Array.from({ length: count }, (_, at) => {
    const part = levels.slice(Math.floor((at * levels.length) / count), Math.floor(((at + 1) * levels.length) / count));
    return Math.max(...part);
  });
}
