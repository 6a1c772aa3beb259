import { mix } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import type { Sheet } from '../drawing/sheet.ts';
import type { Person } from './person.ts';

const soften = ['closed', 'open', 'open', 'lips', 'lips'] as const;
const plain = ['closed', 'closed', 'open', 'open', 'aside'] as const;
const lipsticks = ['#b23a40', '#c4575a', '#a8434f', '#972f33'];

/** A smile: closed, open, with lips or a little to one side. */
export function drawMouth(sheet: Sheet, { random, skin, soft }: Person): void {
  const lips = soft && random.chance(0.45) ? random.pick(lipsticks) : mix(skin.deep, '#b8434a', 0.42);
  const dark = mix(skin.deep, '#5a1c20', 0.55);
  const width = 46 + random.next() * 12;
  switch (random.pick(soft ? soften : plain)) {
    case 'closed':
      sheet.line(d`M ${-width} 146 Q 0 ${178 + random.next() * 14} ${width} 146`, dark, 8);
      sheet.line(d`M -20 186 Q 0 194 20 186`, skin.deep, 6, 0.3);
      break;
    case 'open':
      drawLaugh(sheet, width, soft ? lips : dark);
      break;
    case 'lips':
      sheet.path(
        d`M ${-width} 142 C -28 136 -12 138 0 144 C 12 138 28 136 ${width} 142 C 28 194 -28 194 ${-width} 142 Z`,
        lips,
      );
      sheet.line(d`M ${-width - 2} 141 Q 0 178 ${width + 2} 141`, dark, 5);
      sheet.line(d`M -14 177 Q 0 181 14 177`, '#fff0e4', 5, 0.3);
      break;
    case 'aside':
      sheet.line(d`M ${-width + 10} 156 Q 4 176 ${width} 140`, dark, 8);
      sheet.line(d`M ${width - 4} 132 Q ${width + 10} 138 ${width + 6} 150`, dark, 6, 0.7);
      break;
  }
}

function drawLaugh(sheet: Sheet, width: number, rim: string): void {
  const outline = d`M ${-width - 4} 140 Q 0 156 ${width + 4} 140 C ${width} 186 28 204 0 204 C -28 204 ${-width} 186 ${-width - 4} 140 Z`;
  sheet.path(outline, '#7a2429');
  sheet.clipped(outline, () => {
    sheet.oval(0, 206, width * 0.62, 24, '#d8736d');
    sheet.path(d`M -90 120 L 90 120 L 90 142 Q 0 186 -90 142 Z`, '#fffaf2');
  });
  sheet.line(outline, rim, 5);
}
