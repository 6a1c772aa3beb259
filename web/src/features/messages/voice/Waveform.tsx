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
  const bars = peaks.length === 0 ? Array.from({ length: 32 }, () => 0) : peaks;
  const path = bars
    .map((peak, at) => {
      const bar = (Math.max(least, peak) / 100) * height;
      return `M${at * barWidth + barWidth / 2} ${(height - bar) / 2}v${bar}`;
    })
    .join('');
  const shape = { d: path, vectorEffect: 'non-scaling-stroke' } as const;
  const end = `${Math.min(100, Math.max(0, played * 100))}%`;
  return (
    <svg
      className={classes.wave}
      viewBox={`0 0 ${bars.length * barWidth} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path {...shape} className={classes.ahead} />
      <path {...shape} className={classes.behind} style={{ clipPath: `inset(0 calc(100% - ${end}) 0 0)` }} />
    </svg>
  );
}
