import { faceOutline, type Person } from './person.ts';
import { d, darker, down, mix, palette, slant, type Sheet } from './sheet.ts';

const irises = ['#3a2620', '#4a2f22', '#6b4425', '#5d6b3a', '#4a6d86', '#5b6a70'];

/** Draws wrinkles, freckles, nose, eyes and brows. */
export function drawFeatures(sheet: Sheet, person: Person): void {
  drawAge(sheet, person);
  drawNose(sheet, person);
  drawEyes(sheet, person);
}

function drawEyes(sheet: Sheet, { random, skin, hair, soft, hasDarkEyes, head }: Person): void {
  const gap = head.width * (0.4 + random.next() * 0.03);
  const dark = mix(hair.deep, '#2a1715', 0.6);
  const brow = mix(mix(hair.base, skin.deep, 0.25), '#2a1715', 0.2);
  const smiles = random.chance(0.2);
  const iris = random.pick(hasDarkEyes ? irises.slice(0, 3) : irises);
  const thick = soft ? 9 + random.next() * 4 : 14 + random.next() * 6;
  const y = -58 - random.next() * 12;
  const arch = y - (soft ? 24 : 12 + random.next() * 8);
  const low = arch + thick * 1.5;
  sheet.bothSides(() =>
    sheet.placed({ x: gap }, () => {
      sheet.path(
        d`M -42 ${y + 4} C -18 ${arch} 26 ${arch} 48 ${y + 16} C 22 ${low} -14 ${low} -40 ${y + 4 + thick} Q -48 ${y + 8} -42 ${y + 4} Z`,
        brow,
      );
      if (smiles) {
        sheet.line(d`M -32 6 Q 0 -26 32 6`, dark, 9);
      } else {
        sheet.path(d`M -35 5 C -24 -20 18 -26 36 1 C 22 19 -20 20 -35 5 Z`, '#fdf5ea');
        sheet.oval([-2, -1], [17.5, 18], iris);
        sheet.oval([-2, -1], [9, 9.5], darker(iris, 0.75));
        sheet.oval([4, -8], [5.2, 5.2], '#fffaf2');
        sheet.line(d`M -20 -31 Q 6 -42 32 -20`, skin.deep, 5, 0.35);
        sheet.line(d`M -36 4 C -24 -22 18 -28 37 0`, dark, 8);
      }
      if (soft) sheet.line(d`M 32 -4 Q 42 -8 48 -16 M 24 -14 Q 32 -20 36 -28`, dark, 5);
    }),
  );
}

function drawNose(sheet: Sheet, { random, skin }: Person): void {
  const shape = random.pick([d`M 6 -68 C 10 -40 26 -18 22 -4 C 18 8 2 10 -8 6`, d`M -22 -4 Q 0 18 22 -4`]);
  sheet.placed({ y: 92, scale: 0.85 + random.next() * 0.35 }, () => {
    sheet.line(shape, skin.deep, 7.5, 0.55);
    sheet.oval([-7, -13], [9, 6], skin.light, 0.6);
  });
}

function drawAge(sheet: Sheet, { random, age, skin, head }: Person): void {
  const fold = (data: string, opacity: number) => sheet.line(data, skin.deep, 5, opacity);
  if (age >= 42) fold(d`M -54 88 Q -76 112 -74 142 M 54 88 Q 76 112 74 142`, age > 55 ? 0.38 : 0.24);
  if (age >= 48) fold(d`M -104 26 Q -76 42 -52 32 M 104 26 Q 76 42 52 32`, 0.28);
  if (age >= 58) fold(d`M -74 -126 Q 0 -142 74 -126 M -58 -104 Q 0 -116 58 -104`, 0.2);
  if (age >= 45 || !random.chance(0.16)) return;
  for (let i = 0; i < 14; i++) {
    const x = (i % 2 ? 1 : -1) * (34 + random.next() * Math.min(84, head.width * 0.48));
    sheet.oval([x, 52 + random.next() * 44], [3.4, 3.4], skin.deep, 0.45);
  }
}

const lipsticks = ['#b23a40', '#c4575a', '#a8434f', '#972f33'];

/** Draws a smile: closed, open or with full lips. */
export function drawMouth(sheet: Sheet, { random, skin, soft, style }: Person): void {
  const lips = style === 'woman' && random.chance(0.45) ? random.pick(lipsticks) : mix(skin.deep, '#b8434a', 0.42);
  const dark = mix(skin.deep, '#5a1c20', 0.55);
  const w = 46 + random.next() * 12;
  const kind = random.pick(soft ? (['open', 'lips', 'lips'] as const) : (['closed', 'closed', 'open'] as const));
  if (kind === 'closed') {
    sheet.line(d`M ${-w} 146 Q 0 ${178 + random.next() * 14} ${w} 146`, dark, 8);
    sheet.line(d`M -20 186 Q 0 194 20 186`, skin.deep, 6, 0.3);
  } else if (kind === 'lips') {
    sheet.path(d`M ${-w} 142 C -28 136 -12 138 0 144 C 12 138 28 136 ${w} 142 C 28 194 -28 194 ${-w} 142 Z`, lips);
    sheet.line(d`M ${-w - 2} 141 Q 0 178 ${w + 2} 141`, dark, 5);
    sheet.line(d`M -14 177 Q 0 181 14 177`, '#fff0e4', 5, 0.3);
  } else {
    const outline = d`M ${-w - 4} 140 Q 0 156 ${w + 4} 140 C ${w} 186 28 204 0 204 C -28 204 ${-w} 186 ${-w - 4} 140 Z`;
    sheet.path(outline, '#7a2429');
    sheet.clipped(outline, () => {
      sheet.oval([0, 206], [w * 0.62, 24], '#d8736d');
      sheet.path(d`M -90 120 L 90 120 L 90 142 Q 0 186 -90 142 Z`, '#fffaf2');
    });
    sheet.line(outline, soft ? lips : dark, 5);
  }
}

/** Draws stubble, a short or a full beard, or none. The mouth is drawn after it. */
export function drawBeard(sheet: Sheet, { random, style, age, head, hair, skin }: Person): void {
  const share = style === 'man' ? 0.56 : 0;
  const kind = random.pick(['stubble', 'short', 'full'] as const);
  if (!random.chance(share * (age < 24 ? 0.6 : 1))) return;
  const { width: w, jaw, chin } = head;
  const low = kind === 'full' ? 42 : 8;
  const [side, far] = [8 + low * 0.2, 220 + low];
  const outline = d`M ${-w + 1} -14 C ${-w - side} 96 ${-jaw - side} 166 ${-chin - 10} ${far} C ${-chin * 0.5} ${far + 34} ${chin * 0.5} ${far + 34} ${chin + 10} ${far}
    C ${jaw + side} 166 ${w + side} 96 ${w - 1} -14 L ${w - 18} -14 C ${w - 20} 50 ${w * 0.86} 100 ${w * 0.56} 118
    C ${w * 0.44} 106 ${w * 0.2} 106 0 118 C ${-w * 0.2} 106 ${-w * 0.44} 106 ${-w * 0.56} 118 C ${-w * 0.86} 100 ${-w + 20} 50 ${-w + 18} -14 Z`;
  const fill = kind === 'stubble' ? hair.base : down(hair.base, mix(hair.base, hair.shade, 0.6), hair.shade);
  const draw = () => sheet.path(outline, fill, { stubble: 0.22, short: 0.88, full: 1 }[kind]);
  if (kind === 'full') draw();
  else sheet.clipped(faceOutline(head), draw);
  if (kind !== 'stubble')
    sheet.path(d`M -58 140 Q 0 122 58 140 Q 62 172 30 194 Q 0 202 -30 194 Q -62 172 -58 140 Z`, skin.shade, 0.9);
}

/** Draws round or square glasses. */
export function drawGlasses(sheet: Sheet, { random, head }: Person): void {
  const frame = random.pick(['#2d2422', '#2d2422', '#6b3f24', palette.red, '#b98a3c', palette.forest]);
  const x = head.width * 0.42;
  const [w, h] = [head.width * 0.35 + random.next() * 8, 50 + random.next() * 12];
  const thick = random.pick([7, 8, 11, 13]);
  const isRound = random.chance(0.5);
  const r = h + 3;
  const lens = isRound
    ? d`M ${-r} 0 C ${-r} ${-h * 1.36} ${r} ${-h * 1.36} ${r} 0 C ${r} ${h * 1.36} ${-r} ${h * 1.36} ${-r} 0 Z`
    : d`M ${-w} ${-h * 0.7} Q ${-w} ${-h * 0.86} ${-w * 0.8} ${-h * 0.86} L ${w * 0.86} ${-h * 0.86} Q ${w + 2} ${-h * 0.84} ${w} ${-h * 0.6} L ${w * 0.92} ${h * 0.6} Q ${w * 0.86} ${h * 0.86} ${w * 0.6} ${h * 0.86} L ${-w * 0.6} ${h * 0.86} Q ${-w * 0.9} ${h * 0.84} ${-w * 0.92} ${h * 0.5} Z`;
  const edge = isRound ? r : w;
  sheet.bothSides(() =>
    sheet.placed({ x, y: 4 }, () => {
      sheet.path(lens, slant('#ffffff3a', '#ffffff08', '#ffffff18'));
      sheet.line(lens, frame, thick);
      sheet.line(d`M ${edge} -14 L ${head.width - x + 10} -8`, frame, thick);
    }),
  );
  sheet.line(d`M ${edge - x} -8 Q 0 -26 ${x - edge} -8`, frame, thick);
}

/** Draws hoops or drops in both ears. */
export function drawEarrings(sheet: Sheet, { random, head }: Person): void {
  const colour = random.pick(['#d9a441', '#d9a441', '#d8d3cc', palette.red]);
  const x = head.width + 10;
  const isHoop = random.chance(0.5);
  sheet.bothSides(() => {
    if (isHoop)
      sheet.line(d`M ${x} 72 C ${x - 34} 74 ${x - 34} 134 ${x} 134 C ${x + 34} 134 ${x + 34} 74 ${x} 72 Z`, colour, 8);
    else sheet.path(d`M ${x} 70 Q ${x + 24} 122 ${x} 132 Q ${x - 24} 122 ${x} 70 Z`, colour);
  });
}
