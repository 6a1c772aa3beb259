import { mix } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { down } from '../drawing/paint.ts';
import type { Sheet } from '../drawing/sheet.ts';
import { faceOutline } from './head.ts';
import type { Person } from './person.ts';

const kinds = ['stubble', 'short', 'full', 'goatee', 'moustache'] as const;

type Beard = (typeof kinds)[number];

/** The beard somebody wears, or none. */
export function pickBeard({ random, style, age, soft }: Person): Beard | null {
  const share = style === 'man' ? 0.56 : style === 'non-binary' && !soft ? 0.2 : 0;
  const kind = random.pick(kinds);
  return random.chance(share * (age < 24 ? 0.6 : 1)) ? kind : null;
}

/** A beard under the mouth, that is drawn after it. */
export function drawBeard(sheet: Sheet, person: Person, kind: Beard): void {
  const { head, hair, skin } = person;
  const { width: w, jaw, chin } = head;
  const fill = down(hair.base, mix(hair.base, hair.shade, 0.6), hair.shade);
  const [tipX, tipY] = kind === 'moustache' ? [84, 158] : [70, 150];
  const moustache = d`M 0 116 C 26 104 58 120 ${tipX} ${tipY} C 50 152 26 142 0 142 C -26 142 -50 152 ${-tipX} ${tipY} C -58 120 -26 104 0 116 Z`;
  const low = kind === 'full' ? 42 : 8;
  const lower = (
    inner: number,
  ) => d`M ${-w + 1} -14 C ${-w - 6 - low * 0.2} 96 ${-jaw - 8 - low * 0.2} 166 ${-chin - 10} ${220 + low} C ${-chin * 0.5} ${254 + low} ${chin * 0.5} ${254 + low} ${chin + 10} ${220 + low}
    C ${jaw + 8 + low * 0.2} 166 ${w + 6 + low * 0.2} 96 ${w - 1} -14 L ${w - 18} -14 C ${w - 20} 50 ${w * 0.86} ${inner} ${w * 0.56} ${inner + 18}
    C ${w * 0.44} ${inner + 6} ${w * 0.2} 106 0 118 C ${-w * 0.2} 106 ${-w * 0.44} ${inner + 6} ${-w * 0.56} ${inner + 18} C ${-w * 0.86} ${inner} ${-w + 20} 50 ${-w + 18} -14 Z`;
  switch (kind) {
    case 'stubble':
      sheet.clipped(faceOutline(head), () => sheet.path(lower(92), hair.base, 0.22));
      break;
    case 'short':
      sheet.clipped(faceOutline(head), () => sheet.path(lower(102), fill, 0.88));
      break;
    case 'full':
      sheet.path(lower(96), fill);
      for (const s of [-0.5, -0.2, 0.12, 0.42]) {
        sheet.line(d`M ${s * w * 0.9} 214 Q ${s * w * 0.8} 244 ${s * w * 0.6} 262`, hair.deep, 5, 0.35);
      }
      break;
    case 'goatee':
      sheet.path(moustache, fill);
      sheet.path(d`M -54 178 C -40 202 40 202 54 178 C 66 226 40 266 0 266 C -40 266 -66 226 -54 178 Z`, fill);
      break;
    case 'moustache':
      sheet.path(moustache, fill);
      break;
  }
  if (kind === 'short' || kind === 'full')
    sheet.path(d`M -58 140 Q 0 122 58 140 Q 62 172 30 194 Q 0 202 -30 194 Q -62 172 -58 140 Z`, skin.shade, 0.9);
}
