import { d } from '../drawing/outline.ts';
import { across, down } from '../drawing/paint.ts';
import type { Sheet } from '../drawing/sheet.ts';
import type { Person } from '../people/person.ts';
import { capOutline, drawHair, strandsFrom, type HairStyle, type Hairline } from './hair-shapes.ts';

const partOf: Partial<Record<Hairline, number>> = { side: -0.4, middle: 0, swept: -0.5 };

function strandsOf({ head }: Person, line: Hairline): string[] {
  const part = partOf[line];
  if (part !== undefined) return strandsFrom(head, part * head.width, head.top + 40);
  return [-0.6, -0.2, 0.2, 0.6].map(
    (s) => d`M ${s * head.width * 0.5} ${head.top} Q ${s * head.width} -170 ${s * head.width * 1.04} -60`,
  );
}

/** Hair down to `length`, with `waves` swings at both edges. */
const flowing =
  (line: Hairline, length: [from: number, to: number], waves: number): HairStyle =>
  (sheet, person) => {
    const { head, random, hair } = person;
    const { width: w, top: t } = head;
    const end = length[0] + random.next() * (length[1] - length[0]);
    const volume = 30 + random.next() * 16;
    const flare = 34 + random.next() * 40;
    const step = (end + 60) / waves;
    const edge = Array.from({ length: waves }, (_, i) => {
      const y = -60 + step * (i + 1);
      const swing = waves > 1 ? (i % 2 ? -1 : 1) * 30 : 12;
      const x = w + volume + flare * ((i + 1) / waves);
      return { x, y, bendX: x + swing, bendY: y - step / 2 };
    });
    const right = edge.map(({ x, y, bendX, bendY }) => d`Q ${bendX} ${bendY} ${x} ${y}`).join(' ');
    const left = edge
      .toReversed()
      .map(({ bendX, bendY }, i) => {
        const next = edge[waves - 2 - i];
        return d`Q ${-bendX} ${bendY} ${-(next?.x ?? w + volume)} ${next?.y ?? -60}`;
      })
      .join(' ');
    const reach = w + volume + flare;
    const behind = d`M ${-w - volume} -60 C ${-w - volume} ${t} ${-w * 0.6} ${t - volume} 0 ${t - volume} C ${w * 0.6} ${t - volume} ${w + volume} ${t} ${w + volume} -60
      ${right} Q ${reach - 50} ${end + 34} ${reach - 110} ${end + 6} L ${-reach + 110} ${end + 6} Q ${-reach + 50} ${end + 34} ${-reach} ${end} ${left} Z`;
    const cap = capOutline(head, { volume, sides: 120, line, wide: volume - 2, over: 2 });
    return {
      behind: () => {
        sheet.path(behind, down(hair.base, hair.shade, hair.deep));
        sheet.clipped(behind, () => drawFalls(sheet, person, reach, end));
      },
      front: () => {
        drawHair(sheet, person, cap, strandsOf(person, line));
        if (end > 300) drawLocks(sheet, person, volume, Math.min(end - 40, 470));
      },
    };
  };

/** Strands in the hair behind the shoulders. */
function drawFalls(sheet: Sheet, { hair }: Person, reach: number, end: number): void {
  for (const s of [0.66, 0.82, 0.96]) {
    for (const side of [-1, 1]) {
      const x = side * reach * s;
      sheet.line(d`M ${x * 0.86} -40 Q ${x * 1.02} ${end / 2} ${x * 0.98} ${end}`, hair.deep, 7, 0.4);
    }
  }
}

/** What falls before the shoulders at both sides of the face. */
function drawLocks(sheet: Sheet, { head, hair, random }: Person, volume: number, end: number): void {
  const w = head.width;
  for (const side of [-1, 1]) {
    const y = end + random.next() * 60;
    sheet.placed({ mirror: side < 0 }, () => {
      const outline = d`M ${w - 2} 60 C ${w + 2} 150 ${w * 0.74} 230 ${w * 0.82} 310 C ${w * 0.9} ${y - 60} ${w * 0.86} ${y - 30} ${w * 0.96} ${y}
        C ${w + 60} ${y - 60} ${w + volume + 40} 300 ${w + volume} 60 Z`;
      sheet.path(outline, across(hair.shade, hair.base, hair.base));
      sheet.line(d`M ${w + 18} 100 Q ${w + 4} 240 ${w + 12} ${y - 90}`, hair.deep, 6, 0.35);
    });
  }
}

export const longMiddle = flowing('middle', [430, 640], 1);
export const longSide = flowing('side', [400, 640], 1);
export const longFringe = flowing('fringe', [380, 600], 1);
export const wavyMiddle = flowing('middle', [380, 620], 4);
export const wavySide = flowing('swept', [380, 600], 5);
export const bobStraight = flowing('side', [190, 250], 1);
export const bobFringe = flowing('fringe', [170, 240], 1);
export const bobWavy = flowing('swept', [190, 270], 2);
export const shoulderLength = flowing('middle', [280, 330], 2);
