import type { Gender } from '#contract/profiles/profile-details.ts';
import { faceOutline, type Head, type Person } from './person.ts';
import { across, brightness, d, down, glow, mix, slant, type Sheet } from './sheet.ts';

/** The parts of the hair that are drawn behind the neck and over the face. */
interface Hair {
  behind?: () => void;
  front: () => void;
}

type HairStyle = (sheet: Sheet, person: Person) => Hair;

type Hairline = 'round' | 'side' | 'middle' | 'fringe' | 'swept' | 'high' | 'square';

/** The lower edge of the hair over the forehead, from the right temple to the left. */
const hairlines: Record<Hairline, (x: number, y: number) => string> = {
  round: (x, y) => d`C ${x} -96 ${0.78 * x} -172 0 -172 C ${-0.78 * x} -172 ${-x} -96 ${-x} ${y}`,
  side: (x, y) => d`C ${x} -70 ${0.92 * x} -104 ${0.66 * x} -118 C ${0.2 * x} -136 ${-0.28 * x} -168 ${-0.42 * x} -216
    C ${-0.56 * x} -170 ${-x} -130 ${-x} ${y}`,
  middle: (x, y) => d`C ${1.01 * x} -92 ${0.76 * x} -108 ${0.44 * x} -142 C ${0.2 * x} -166 ${0.05 * x} -190 0 -222
    C ${-0.05 * x} -190 ${-0.2 * x} -166 ${-0.44 * x} -142 C ${-0.76 * x} -108 ${-1.01 * x} -92 ${-x} ${y}`,
  fringe: (
    x,
    y,
  ) => d`L ${x} -50 Q ${0.86 * x} -78 ${0.62 * x} -72 Q ${0.4 * x} -88 ${0.2 * x} -80 Q 0 -92 ${-0.22 * x} -80
    Q ${-0.42 * x} -88 ${-0.64 * x} -72 Q ${-0.86 * x} -78 ${-x} -50 L ${-x} ${y}`,
  swept: (
    x,
    y,
  ) => d`C ${1.02 * x} -30 ${0.98 * x} -62 ${0.86 * x} -78 C ${0.4 * x} -84 ${-0.2 * x} -110 ${-0.52 * x} -196
    C ${-0.66 * x} -150 ${-x} -110 ${-x} ${y}`,
  high: (x, y) => d`C ${0.99 * x} -110 ${0.94 * x} -196 ${0.62 * x} -222 C ${0.42 * x} -232 ${0.2 * x} -200 0 -196
    C ${-0.2 * x} -200 ${-0.42 * x} -232 ${-0.62 * x} -222 C ${-0.94 * x} -196 ${-0.99 * x} -110 ${-x} ${y}`,
  square: (x, y) => d`L ${0.97 * x} -96 C ${0.95 * x} -140 ${0.84 * x} -158 ${0.62 * x} -160 Q 0 -178 ${-0.62 * x} -160
    C ${-0.84 * x} -158 ${-0.95 * x} -140 ${-0.97 * x} -96 L ${-x} ${y}`,
};

interface Cap {
  /** The distance of the hair from the skull. */
  volume: number;
  /** How far down the hair reaches in front of the ears. */
  sides: number;
  line: Hairline;
  /** How far the hair hangs outside the temples. */
  wide?: number;
  /** How far the inner edge of the hair runs inside the edge of the face. */
  over?: number;
}

/** The outline of hair that lies on the skull like a cap. */
function capOutline({ width: w, top }: Head, { volume: v, sides, line, wide = 4, over = 16 }: Cap): string {
  const t = top - v;
  const inner = w - over;
  const [x, y] = [0.74 * w + v * 0.6, t + 62];
  // In line with the curve on the other side of (x, y), to avoid a corner.
  const [bendX, bendY] = [x - 0.6 * (w + v - x), y - 0.6 * (-140 - y)];
  return d`M ${-w - wide} ${sides} C ${-w - v} -50 ${-w - v} -140 ${-x} ${y} C ${-bendX} ${bendY} ${-0.28 * w} ${t} 0 ${t}
    C ${0.28 * w} ${t} ${bendX} ${bendY} ${x} ${y} C ${w + v} -140 ${w + v} -50 ${w + wide} ${sides}
    L ${inner} ${sides} ${hairlines[line](inner, sides)} Z`;
}

/** Draws hair over the face: its shadow on the skin, then the hair with light and strands. */
function drawHair(sheet: Sheet, { head, hair, skin }: Person, outline: string, line?: Hairline): void {
  const { width: w, top: t } = head;
  sheet.clipped(faceOutline(head), () => sheet.placed({ x: 5, y: 15 }, () => sheet.path(outline, skin.deep, 0.34)));
  sheet.path(outline, down(hair.light, hair.base, hair.shade));
  sheet.clipped(outline, () => {
    const shine = d`M ${-w * 0.86} -92 C ${-w * 0.8} ${t + 60} ${-w * 0.35} ${t + 22} ${w * 0.16} ${t + 22}`;
    sheet.line(shine, hair.light, 30, 0.4);
    const x = line === 'middle' ? 0 : -0.42 * w;
    if (line !== 'middle' && line !== 'side' && line !== 'swept') return;
    for (const side of [-1, 1]) {
      for (const reach of [0.55, 0.78, 0.98]) {
        const strand = d`M ${x} ${t + 40} C ${x + side * w * 0.4} ${t + 44} ${side * w * reach} ${t + 100} ${side * w * (reach + 0.06)} -50`;
        sheet.line(strand, hair.deep, 6, 0.4);
      }
    }
  });
}

/** A style: short hair that lies on the skull. */
const cut =
  (line: Hairline, volume: number, sides: number): HairStyle =>
  (sheet, person) => {
    const { head, random } = person;
    const outline = capOutline(head, { volume: volume + random.next() * 10, sides: sides + random.next() * 16, line });
    return { front: () => drawHair(sheet, person, outline, line) };
  };

const buzzed: HairStyle = (sheet, { head, hair, skin }) => ({
  front: () => {
    const shade = mix(hair.base, skin.base, 0.32);
    sheet.path(capOutline(head, { volume: 4, sides: 6, line: 'square', over: 12, wide: 2 }), down(shade, shade));
  },
});

const bald: HairStyle = (sheet, { head, skin }) => ({
  front: () => sheet.oval([-head.width * 0.3, head.top + 74], [66, 36], glow(skin.light, `${skin.light}00`), 0.9),
});

/** A style: hair brushed up from the forehead. */
const quiff: HairStyle = (sheet, person) => {
  const { head, random } = person;
  const { width: w, top: t } = head;
  const h = 74 + random.next() * 30;
  const x = w - 15;
  const outline = d`M ${-w - 4} 4 C ${-w - 16} -70 ${-w - 18} -170 ${-w * 0.86} ${t + 50} C ${-w * 0.8} ${t - h * 0.7} ${-w * 0.1} ${t - h * 1.1} ${w * 0.5} ${t - h * 0.82}
    C ${w * 0.86} ${t - h * 0.6} ${w * 0.98} ${t + 10} ${w + 2} -180 C ${w + 18} -150 ${w + 14} -60 ${w + 4} 4 L ${x} 4
    C ${x} -70 ${x * 0.98} -120 ${x * 0.84} -164 C ${x * 0.4} -196 ${-x * 0.3} -180 ${-x * 0.7} -152 C ${-x * 0.96} -130 ${-x} -80 ${-x} 4 Z`;
  return { front: () => drawHair(sheet, person, outline) };
};

/** A style: hair down to `length`, with `waves` curves along both edges. */
const flowing =
  (line: Hairline, length: readonly [from: number, to: number], waves: number): HairStyle =>
  (sheet, person) => {
    const { head, random, hair } = person;
    const { width: w, top: t } = head;
    const end = length[0] + random.next() * (length[1] - length[0]);
    const volume = 30 + random.next() * 16;
    const flare = 34 + random.next() * 40;
    const step = (end + 60) / waves;
    const swing = (i: number) => (waves > 1 ? (i % 2 ? -30 : 30) : 12);
    const x = (i: number) => w + volume + (flare * i) / waves;
    const y = (i: number) => step * i - 60;
    const bend = (i: number, side: number) => d`Q ${side * (x(i) + swing(i))} ${y(i) - step / 2}`;
    const numbers = Array.from({ length: waves }, (_, i) => i + 1);
    const right = numbers.map((i) => d`${bend(i, 1)} ${x(i)} ${y(i)}`).join(' ');
    const left = numbers
      .toReversed()
      .map((i) => d`${bend(i, -1)} ${-x(i - 1)} ${y(i - 1)}`)
      .join(' ');
    const r = w + volume + flare;
    const behind = d`M ${-w - volume} -60 C ${-w - volume} ${t} ${-w * 0.6} ${t - volume} 0 ${t - volume} C ${w * 0.6} ${t - volume} ${w + volume} ${t} ${w + volume} -60
      ${right} Q ${r - 50} ${end + 34} ${r - 110} ${end + 6} L ${-r + 110} ${end + 6} Q ${-r + 50} ${end + 34} ${-r} ${end} ${left} Z`;
    const cap = capOutline(head, { volume, sides: 120, line, wide: volume - 2, over: 2 });
    return {
      behind: () => {
        sheet.path(behind, down(hair.base, hair.shade, hair.deep));
        sheet.clipped(behind, () =>
          sheet.bothSides(() => {
            for (const far of [0.66 * r, 0.82 * r, 0.96 * r])
              sheet.line(d`M ${far * 0.86} -40 Q ${far * 1.02} ${end / 2} ${far * 0.98} ${end}`, hair.deep, 7, 0.4);
          }),
        );
      },
      front: () => {
        drawHair(sheet, person, cap, line);
        if (end > 300) drawLocks(sheet, person, volume, Math.min(end - 40, 470));
      },
    };
  };

/** Draws hair that falls over the shoulders on both sides of the face. */
function drawLocks(sheet: Sheet, { head, hair }: Person, volume: number, y: number): void {
  const w = head.width;
  const outline = d`M ${w - 2} 60 C ${w + 2} 150 ${w * 0.74} 230 ${w * 0.82} 310 C ${w * 0.9} ${y - 60} ${w * 0.86} ${y - 30} ${w * 0.96} ${y}
    C ${w + 60} ${y - 60} ${w + volume + 40} 300 ${w + volume} 60 Z`;
  sheet.bothSides(() => {
    sheet.path(outline, across(hair.shade, hair.base, hair.base));
    sheet.line(d`M ${w + 18} 100 Q ${w + 4} 240 ${w + 12} ${y - 90}`, hair.deep, 6, 0.35);
  });
}

/** A style: hair combed back into a bun on top of the head. */
const bun: HairStyle = (sheet, person) => {
  const { head, hair, random } = person;
  const line = random.pick(['round', 'side', 'middle'] as const);
  const outline = capOutline(head, { volume: 18, sides: 2, line });
  return {
    behind: () => sheet.oval([10, head.top - 54], [88, 80], slant(hair.light, hair.base, hair.shade)),
    front: () => drawHair(sheet, person, outline, line),
  };
};

/** A style: curls around the head, and down to `end` if that is below the ears. */
const curly =
  (end: number, size: number): HairStyle =>
  (sheet, person) => {
    const { head, hair, skin, random } = person;
    const w = head.width;
    const ring = (count: number, from: number, reach: number, curl: number) =>
      Array.from({ length: count }, (_, i) => {
        const angle = ((from + ((180 - 2 * from) * i) / (count - 1)) * Math.PI) / 180;
        const far = reach * (0.98 + random.next() * 0.05);
        return [
          Math.cos(angle) * w * far,
          -30 - Math.sin(angle) * (-30 - head.top) * far,
          curl * (0.88 + random.next() * 0.26),
        ];
      });
    const falls = (x: number, curl: number) =>
      [-1, 1].flatMap((side) =>
        Array.from({ length: Math.max(0, Math.round((end + 50) / (curl * 0.9))) }, (_, i) => {
          const y = -50 + i * curl * 0.9;
          return [side * (x + 14 * random.next() + Math.min(y, 260) * 0.14), y, curl * (0.9 + random.next() * 0.2)];
        }),
      );
    const draw = (curls: number[][]) => {
      for (const [x = 0, y = 0, r = 0] of curls) sheet.oval([x, y], [r, r], hair.base);
      for (const [x = 0, y = 0, r = 0] of curls) {
        const bow = d`M ${x - r * 0.5} ${y} C ${x - r * 0.5} ${y - r * 0.6} ${x + r * 0.5} ${y - r * 0.6} ${x + r * 0.45} ${y + r * 0.1}`;
        const [colour, opacity] = random.chance(0.4) ? [hair.light, 0.6] : [hair.deep, 0.35];
        sheet.placed({ turn: random.next() * 360, about: [x, y] }, () => sheet.line(bow, colour, 6, opacity));
      }
    };
    return {
      behind: () => {
        const r = w * size;
        sheet.oval([0, -70], [r, (-70 - head.top) * size + 30], hair.shade);
        if (end > 0) sheet.box([-r, -80], [2 * r, end + 60], hair.shade, { round: 60 });
        draw(falls(w * 1.26, 58));
        draw(ring(20, -30, size, 50));
      },
      front: () => {
        const fringe = ring(12, 10, 0.97, 44);
        draw(falls(w * 1.06, 46));
        draw(ring(13, 6, (1 + size) / 2, 50));
        sheet.clipped(faceOutline(head), () => {
          for (const [x = 0, y = 0, r = 0] of fringe) sheet.oval([x + 4, y + 14], [r, r], skin.deep, 0.3);
        });
        draw(fringe);
      },
    };
  };

const long = (['middle', 'side', 'fringe', 'swept'] as const).map((line) => flowing(line, [380, 620], 1));
const wavy = (['middle', 'swept'] as const).map((line) => flowing(line, [380, 600], 4));
const bobs = (['side', 'fringe', 'swept'] as const).map((line) => flowing(line, [180, 260], line === 'swept' ? 2 : 1));
const short = [cut('side', 34, 8), cut('square', 22, 0), cut('middle', 40, 20), quiff];
const [pixie, receding, afro] = [cut('swept', 34, 46), cut('high', 14, 4), curly(-60, 1.42)];

/** Hair styles by gender; a style listed twice is more frequent. */
const styles: Record<Gender, readonly HairStyle[]> = {
  woman: [...long, ...wavy, ...wavy, ...bobs, bun, bun, pixie, afro, curly(400, 1.24), curly(190, 1.24)],
  man: [...short, ...short, buzzed, buzzed, bald, flowing('middle', [280, 330], 2), afro],
  'non-binary': [...short, ...bobs, pixie, buzzed, bun, afro, curly(190, 1.24)],
};

/** Picks a hair style for a person, to be drawn before and after the face. */
export function pickHair(sheet: Sheet, person: Person): Hair {
  const { random, style, age, skin } = person;
  const older = style === 'man' ? [short[0], short[1], receding, bald, buzzed] : [...bobs, pixie, wavy[0]];
  const fitting = (age >= 54 ? older.filter((one) => one !== undefined) : styles[style]).filter(
    (one) => one !== afro || brightness(skin.base) < 170,
  );
  return random.pick(fitting)(sheet, person);
}
