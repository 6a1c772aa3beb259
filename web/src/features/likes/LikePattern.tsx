import classes from './LikePattern.module.css';

const rings = 5;
const points = 48;
const hues = ['heartwood', 'honey', 'moss', 'dusk'] as const;

/** Pseudo-random numbers in [0, 1) from a seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The wavy outline of one ring with radius `size`. */
function ringPath(size: number, next: () => number): string {
  const [waves, depth, turn] = [2 + Math.floor(next() * 5), 0.02 + next() * 0.05, next() * 2 * Math.PI];
  const path = Array.from({ length: points }, (_, index) => {
    const angle = (index / points) * 2 * Math.PI;
    const reach = size * (1 + depth * Math.sin(waves * angle + turn));
    return `${(Math.cos(angle) * reach).toFixed(1)} ${(Math.sin(angle) * reach).toFixed(1)}`;
  });
  return `M${path.join('L')}Z`;
}

/** Draws a number as the rings of a tree trunk. It is random and identifies no one. */
export function LikePattern({ seed }: { seed: number }) {
  const next = numbersFrom(seed);
  const hue = hues[Math.floor(next() * hues.length)];
  const paths = Array.from({ length: rings }, (_, index) => ringPath(((index + 1) / rings) * 42, next));
  return (
    <svg className={classes.pattern} data-hue={hue} viewBox="-50 -50 100 100" aria-hidden="true" focusable="false">
      {paths.map((path) => (
        <path key={path} d={path} fill="none" stroke="currentColor" strokeWidth={1.8} />
      ))}
    </svg>
  );
}
