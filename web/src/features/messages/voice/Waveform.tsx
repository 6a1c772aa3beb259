import classes from './voice.module.css';

const [barWidth, height] = [3, 28];
/** Silence is drawn as a dot. */
const least = 8;

interface WaveformProps {
  peaks: readonly number[];
  /** Which part was played, from 0 to 1. */
  played?: number;
}

/** The loudness of a voice message over its length. Next to it is text with the length, so it is only decoration. */
export function Waveform({ peaks, played = 0 }: WaveformProps) {
  const path = peaks
    .map((peak, at) => {
      const bar = (Math.max(least, peak) / 100) * height;
      return `M${(at + 0.5) * barWidth} ${(height - bar) / 2}v${bar}`;
    })
    .join('');
  const shape = { d: path, vectorEffect: 'non-scaling-stroke' } as const;
  const box = `0 0 ${Math.max(1, peaks.length) * barWidth} ${height}`;
  return (
    <svg className={classes.wave} viewBox={box} preserveAspectRatio="none" aria-hidden="true">
      <path {...shape} opacity={0.55} />
      <path {...shape} className={classes.played} style={{ clipPath: `inset(-2px ${100 - 100 * played}% -2px 0)` }} />
    </svg>
  );
}
