const heart = 'M0 38C-19-1-46-4-46-30-46-46-34-56-21-56-11-56-4-50 0-42 4-50 11-56 21-56 34-56 46-46 46-30 46-4 19-1 0 38Z';
const scales = [0.28, 0.5, 0.76, 1.06, 1.4, 1.78, 2.2, 2.66, 3.16];

/** Growth rings around a heart, in the current colour. Decoration. */
export function RingsArt({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="-160 -190 320 320" fill="none" stroke="currentColor" aria-hidden="true" focusable="false">
      {scales.map((scale, ring) => (
        <path
          key={scale}
          d={heart}
          transform={`rotate(${(ring % 3) - 1} 0 0) scale(${scale})`}
          strokeWidth={(ring % 2 === 0 ? 2.2 : 1.3) / scale}
          strokeLinejoin="round"
        />
      ))}
    </svg>
  );
}
