import {
  IconHandFinger,
  IconHandGrab,
  IconHandStop,
  IconHandThreeFingers,
  IconHandTwoFingers,
  IconThumbUp,
} from '@tabler/icons-react';
import type { Pose } from '#contract/photo-verification.ts';

const besideFace = { x: 88, y: 34 };
/** The hand of each pose and where it is; poses of the head have none. */
const hands: Partial<Record<Pose, { Icon: typeof IconHandStop; x: number; y: number }>> = {
  'open-hand': { Icon: IconHandStop, ...besideFace },
  'closed-hand': { Icon: IconHandGrab, ...besideFace },
  'thumb-up': { Icon: IconThumbUp, ...besideFace },
  'one-finger': { Icon: IconHandFinger, ...besideFace },
  'two-fingers': { Icon: IconHandTwoFingers, ...besideFace },
  'three-fingers': { Icon: IconHandThreeFingers, ...besideFace },
  'hand-on-head': { Icon: IconHandStop, x: 44, y: 2 },
  'hand-on-shoulder': { Icon: IconHandStop, x: 84, y: 78 },
  'hand-on-chest': { Icon: IconHandStop, x: 44, y: 92 },
  'hand-under-chin': { Icon: IconHandGrab, x: 44, y: 74 },
};

/** A drawing of a face, looking straight ahead or in a pose. The words next to it say the same. */
export function PoseDrawing({ pose }: { pose: Pose | null }) {
  const hand = pose === null ? undefined : hands[pose];
  const eyes = pose === 'looking-up' ? 40 : 50;
  return (
    <svg
      viewBox="0 0 120 130"
      width={132}
      height={143}
      fill="none"
      stroke="currentColor"
      strokeWidth={2.5}
      aria-hidden="true"
    >
      <path d="M14 128c0-24 20-38 46-38s46 14 46 38" />
      <g transform={pose === 'head-tilted' ? 'rotate(18 60 80)' : undefined}>
        <circle cx={60} cy={54} r={28} fill="var(--hw-surface)" />
        <circle cx={50} cy={eyes} r={2.5} fill="currentColor" />
        <circle cx={70} cy={eyes} r={2.5} fill="currentColor" />
        <path d={`M51 ${eyes + 15}q9 7 18 0`} strokeLinecap="round" />
      </g>
      {hand && (
        <g style={{ color: 'var(--hw-accent)' }}>
          <hand.Icon x={hand.x} y={hand.y} size={32} stroke={1.8} fill="var(--hw-surface)" />
        </g>
      )}
    </svg>
  );
}
