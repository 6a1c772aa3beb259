import type { CSSProperties } from 'react';

const ringCount = 11;
const pointsPerRing = 120;

/** One growth ring, from a heart in the centre (`age` 0) to the round outline of the trunk (`age` 1). */
function ringPath(age: number): string {
  const size = 10 + 140 * age;
  const round = Math.min(1, age * 1.25) ** 0.8;
  const points = Array.from({ length: pointsPerRing }, (_, index) => {
    const turn = (index / pointsPerRing) * 2 * Math.PI;
    const heartX = 16 * Math.sin(turn) ** 3;
    const heartY = -(13 * Math.cos(turn) - 5 * Math.cos(2 * turn) - 2 * Math.cos(3 * turn) - Math.cos(4 * turn));
    const grain = 1 + 0.025 * age * Math.sin(3 * turn + 5 * age) + 0.015 * age * Math.sin(7 * turn);
    const x = (heartX / 16) * (1 - round) + Math.sin(turn) * grain * round;
    const y = (heartY / 16) * (1 - round) - Math.cos(turn) * grain * round;
    return `${(x * size).toFixed(1)} ${(y * size).toFixed(1)}`;
  });
  return `M${points.join('L')}Z`;
}

const rings = Array.from({ length: ringCount }, (_, index) => ({
  d: ringPath((index + 0.6) / ringCount),
  strokeWidth: index % 3 === 0 ? 2.6 : 1.4,
  style: { '--age': index / ringCount } as CSSProperties,
}));

/**
 * The cross-section of a trunk with a heart in its centre, in the current colour. It is decorative. Each ring has its
 * `--age`, from 0 to 1, so that a style can let them grow.
 */
export function RingsArt({ className }: { className?: string | undefined }) {
  return (
    <svg
      className={className}
      viewBox="-160 -160 320 320"
      fill="none"
      stroke="currentColor"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {rings.map((ring) => (
        <path key={ring.d} {...ring} />
      ))}
    </svg>
  );
}
