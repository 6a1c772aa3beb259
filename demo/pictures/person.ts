import type { Gender } from '#contract/profiles/profile-details.ts';
import type { Origin } from '../members/demo-member.ts';
import { randomOf, type Random } from '../random.ts';
import { across, brightness, d, down, glow, mix, type Sheet } from './sheet.ts';

/** The size of a head, seen from the middle between the eyes; y grows downwards. */
export interface Head {
  /** Half the width at the cheekbones, the jaw and the chin. */
  width: number;
  jaw: number;
  chin: number;
  top: number;
  /** Half the width of the neck and of the shoulders. */
  neck: number;
  shoulders: number;
}

interface Tones {
  base: string;
  light: string;
  shade: string;
  deep: string;
}

/** A drawn person: everything that more than one part of the drawing needs. */
export interface Person {
  random: Random;
  age: number;
  /** The gender that their hair and clothes follow. */
  style: Gender;
  /** Whether they have softer features: lashes, fine brows, red lips. */
  soft: boolean;
  hasDarkEyes: boolean;
  head: Head;
  skin: Tones;
  hair: Tones;
}

const skins = '#fbe0cb #f7d4ba #f2c7a6 #ebb992 #e2a97e #d4986c #c4875a #b0744a #98603c #7f4e31 #683e28 #5c3724'.split(
  ' ',
);
/** The skins, by their places in the list, and whether hair is always dark, of people with names from there. */
const looksOf: Record<Origin, { from: number; to: number; isDark: boolean }> = {
  europe: { from: 0, to: 5, isDark: false },
  'middle-east': { from: 2, to: 7, isDark: true },
  'south-asia': { from: 5, to: 10, isDark: true },
  'east-asia': { from: 0, to: 4, isDark: true },
  africa: { from: 8, to: 12, isDark: true },
};
const hairColours = {
  dark: '#2a2123 #33262a #3d2a24 #4b3023'.split(' '),
  brown: '#4b3023 #63402a #7b4a2c #8f5a35'.split(' '),
  fair: '#a8763f #c2924f #d8b06a #e6c98e #b5622f #c9743a #9a452b'.split(' '),
  grey: '#8b847f #a9a29b #c9c3bb #e6e1d9'.split(' '),
};

function tonesOf(base: string, light: string, shadow: string): Tones {
  return { base, light: mix(base, light, 0.22), shade: mix(base, shadow, 0.26), deep: mix(base, shadow, 0.55) };
}

/** The colour of shadows: red on fair skin, nearly black on dark skin, so that it is always darker than the skin. */
function shadowOn(skin: string): string {
  return mix('#7c2f2c', '#160809', Math.min(1, Math.max(0, (170 - brightness(skin)) / 90)));
}

function pickHairColour(random: Random, { age, origin }: Wanted, skin: string): string {
  if (random.chance((age - 44) / 28)) return random.pick(hairColours.grey);
  if (origin !== null && looksOf[origin].isDark) return random.pick(hairColours.dark);
  if (random.chance(brightness(skin) > 175 ? 0.5 : 0)) return random.pick(hairColours.fair);
  return random.pick(random.chance(brightness(skin) > 130 ? 0.6 : 0.15) ? hairColours.brown : hairColours.dark);
}

function drawHead(random: Random, style: Gender): Head {
  const between = (from: number, to: number) => from + random.next() * (to - from);
  // From 0, the finest frame, to 1, the strongest.
  const frame = { woman: between(0, 0.4), man: between(0.6, 1), 'non-binary': between(0.2, 0.8) }[style];
  const width = 176 + 16 * frame + between(0, 14);
  return {
    width,
    jaw: width * (0.8 + 0.14 * frame + between(-0.03, 0.03)),
    chin: 58 + 34 * frame + between(-6, 10),
    top: -258 - between(0, 16),
    neck: 76 + 32 * frame + between(0, 6),
    shoulders: 345 + 95 * frame + between(-15, 15),
  };
}

/** The requested properties of a person. */
interface Wanted {
  seed: number;
  gender: Gender | null;
  origin: Origin | null;
  age: number;
}

/** Chooses the looks of the person in picture `seed`, of this age, gender and origin; null means any. */
export function drawPerson(wanted: Wanted): Person {
  const { seed, gender, origin, age } = wanted;
  const random = randomOf(seed, 41);
  const style = gender ?? random.pick(['woman', 'man', 'non-binary'] as const);
  const skin = random.pick(origin === null ? skins : skins.slice(looksOf[origin].from, looksOf[origin].to));
  return {
    random,
    age,
    style,
    soft: style === 'woman' || (style === 'non-binary' && random.chance(0.5)),
    hasDarkEyes: brightness(skin) <= 170 || (origin !== null && looksOf[origin].isDark),
    head: drawHead(random, style),
    skin: tonesOf(skin, '#fff0d8', shadowOn(skin)),
    hair: tonesOf(pickHairColour(random, wanted, skin), '#ffdcae', '#1d1018'),
  };
}

/** The outline of a face from the crown to the chin. */
export function faceOutline({ width: w, jaw, chin, top }: Head): string {
  const low = chin - (jaw - chin) * 0.5;
  return d`M ${-w} -10 C ${-w} -170 ${-0.72 * w} ${top} 0 ${top} C ${0.72 * w} ${top} ${w} -170 ${w} -10
    C ${w} 78 ${jaw} 150 ${chin} 212 C ${low} 246 ${-low} 246 ${-chin} 212 C ${-jaw} 150 ${-w} 78 ${-w} -10 Z`;
}

/** The outline of neck, shoulders and upper arms, down to below the edge of the picture. */
export function bodyOutline({ neck: n, shoulders: s }: Head): string {
  return d`M ${-n} 90 L ${-n} 300 C ${-n} 372 ${-n - 34} 392 ${-n - 96} 412 C ${-s + 50} 448 ${-s} 500 ${-s - 14} 620
    C ${-s - 30} 800 ${-s - 40} 960 ${-s - 40} 1200 L ${s + 40} 1200 C ${s + 40} 960 ${s + 30} 800 ${s + 14} 620
    C ${s} 500 ${s - 50} 448 ${n + 96} 412 C ${n + 34} 392 ${n} 372 ${n} 300 L ${n} 90 Z`;
}

/** Draws neck and shoulders without clothes, in the shadow of the chin. */
export function drawBody(sheet: Sheet, { head, skin }: Person): void {
  const outline = bodyOutline(head);
  sheet.path(outline, across(skin.light, skin.base, skin.base, skin.shade));
  sheet.clipped(outline, () => {
    sheet.placed({ x: 16, y: 104 }, () => sheet.path(faceOutline(head), skin.deep, 0.42));
    const x = head.neck * 0.5;
    sheet.bothSides(() => sheet.line(d`M ${x + 60} 430 Q ${x} 420 ${x - 26} 446`, skin.deep, 7, 0.28));
  });
}

/** Draws the ears, and the face with its cheeks, lit from the left, but not its features. */
export function drawFaceShape(sheet: Sheet, { head, skin, soft }: Person): void {
  const w = head.width;
  sheet.bothSides((side) => {
    sheet.oval([w + 6, 22], [31, 50], side < 0 ? skin.base : skin.shade);
    sheet.line(d`M ${w + 18} -2 C ${w + 30} 14 ${w + 20} 34 ${w + 6} 46`, skin.deep, 6, 0.4);
  });
  const outline = faceOutline(head);
  sheet.path(outline, across(skin.light, skin.base, skin.base, skin.shade));
  sheet.clipped(outline, () => {
    sheet.path(d`M -300 150 Q 0 330 300 120 L 300 400 L -300 400 Z`, down(`${skin.shade}00`, skin.shade), 0.5);
    sheet.oval([-w * 0.34, -120], [w * 0.72, 120], glow(skin.light, `${skin.light}00`), 0.7);
  });
  const red = mix(skin.base, '#e0503f', 0.62);
  sheet.bothSides(() =>
    sheet.oval([w * 0.58, 84], [62, 46], glow(`${red}aa`, `${red}66`, `${red}00`), soft ? 0.7 : 0.5),
  );
  sheet.line(d`M ${-head.chin * 0.3} 206 Q 0 198 ${head.chin * 0.3} 206`, skin.deep, 6, 0.22);
}
