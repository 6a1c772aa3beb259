import { voiceMaxSeconds } from '#contract/constants.ts';

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
  /** Called when it ended, by `stop`, after a minute, or because the microphone is gone; null if nothing was recorded. */
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
const formatOf = () => formats.find(({ mimeType }) => MediaRecorder.isTypeSupported(mimeType));

/** Whether this browser can record voice messages. */
export const canRecord = (): boolean =>
  'mediaDevices' in navigator && typeof MediaRecorder === 'function' && formatOf() !== undefined;

/** Asks for the microphone and starts to record. Rejects if there is none, or the member refuses. */
export async function startRecorder({ onLevel, onEnd }: RecorderEvents): Promise<Recorder> {
  const wanted = { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true };
  const stream = await navigator.mediaDevices.getUserMedia({ audio: wanted });
  const media = new MediaRecorder(stream, formatOf());
  const meter = meterOf(stream);
  const [parts, levels]: [Blob[], number[]] = [[], []];
  const startedAt = performance.now();
  const timeMs = () => Math.min(Math.round(performance.now() - startedAt), voiceMaxSeconds * 1000);
  const stop = () => media.state !== 'inactive' && media.stop();
  const timer = setInterval(() => {
    levels.push(meter.level());
    onLevel(levels.at(-1) ?? 0, timeMs());
    if (timeMs() === voiceMaxSeconds * 1000) stop();
  }, everyMs);
  let isCanceled = false;
  media.addEventListener('dataavailable', ({ data }) => parts.push(data));
  media.addEventListener('stop', () => {
    clearInterval(timer);
    meter.end();
    // The browser's sign that it listens disappears.
    for (const track of stream.getTracks()) track.stop();
    const file = new File(parts, 'voice', { type: media.mimeType });
    if (!isCanceled) onEnd(file.size === 0 ? null : { file, durationMs: timeMs(), peaks: toPeaks(levels) });
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

/** What is quieter counts as silence, in decibels, and by how much louder is as loud as it gets. */
const [quietDb, rangeDb] = [-50, 42];

/** Reads how loud a microphone is. */
function meterOf(stream: MediaStream) {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    level() {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, one) => sum + one * one, 0) / samples.length;
      const level = ((10 * Math.log10(power + 1e-9) - quietDb) / rangeDb) * 100;
      return Math.round(Math.min(100, Math.max(0, level)));
    },
    end: () => void context.close(),
  };
}

/** How many levels a waveform has, so that its bars stay apart on a phone. */
export const waveBars = 40;

/** The levels of a waveform, each the loudest of its part. */
export function toPeaks(levels: readonly number[]): number[] {
  const count = Math.min(levels.length, waveBars);
  const start = (at: number) => Math.floor((at * levels.length) / count);
  return Array.from({ length: count }, (_, at) => Math.max(...levels.slice(start(at), start(at + 1))));
}
