import type { Gender } from '#contract/profiles/gender.ts';
import { randomOf, type Random } from '../../random.ts';
import { brightness, mix } from '../drawing/colours.ts';

/** The size of a head, seen from the middle between the eyes; y grows downwards. */
export interface Head {
  /** Half of the width at the cheekbones, the jaw and the chin. */
  width: number;
  jaw: number;
  chin: number;
  top: number;
  /** Half of the width of the neck, and of the shoulders. */
  neck: number;
  shoulders: number;
}

export interface Tones {
  base: string;
  light: string;
  shade: string;
  deep: string;
}

/** Somebody who is drawn: everything that more than one part of the drawing has to know. */
export interface Person {
  random: Random;
  age: number;
  /** Whose hair and clothes they wear: everybody else's or mostly those of women or of men. */
  style: Gender;
  /** Softer features: lashes, fine brows, red lips. */
  soft: boolean;
  head: Head;
  skin: Tones;
  hair: Tones;
}

const skins = [
  '#fbe0cb',
  '#f7d4ba',
  '#f2c7a6',
  '#ebb992',
  '#e2a97e',
  '#d4986c',
  '#c4875a',
  '#b0744a',
  '#98603c',
  '#7f4e31',
  '#683e28',
  '#5c3724',
];

const darkHairs = ['#2a2123', '#33262a', '#3d2a24', '#4b3023'];
const brownHairs = ['#4b3023', '#63402a', '#7b4a2c', '#8f5a35'];
const fairHairs = ['#a8763f', '#c2924f', '#d8b06a', '#e6c98e', '#b5622f', '#c9743a', '#9a452b'];
const greyHairs = ['#8b847f', '#a9a29b', '#c9c3bb', '#e6e1d9'];
const dyedHairs = ['#c46b7c', '#3e7a80', '#74406a', '#b0403d', '#5a6ea0'];

function tonesOf(base: string, light: string, shadow: string): Tones {
  return { base, light: mix(base, light, 0.22), shade: mix(base, shadow, 0.26), deep: mix(base, shadow, 0.55) };
}

/** Red on fair skin, nearly black on dark skin, so that it is darker than any. */
function shadowOn(skin: string): string {
  return mix('#7c2f2c', '#160809', Math.min(1, Math.max(0, (170 - brightness(skin)) / 90)));
}

function hairColour(random: Random, age: number, skin: string): string {
  if (random.chance((age - 38) / 34)) return random.pick(age > 62 ? greyHairs.slice(1) : greyHairs);
  if (age < 38 && random.chance(0.06)) return random.pick(dyedHairs);
  const fair = brightness(skin) > 175 ? 0.5 : 0;
  if (random.chance(fair)) return random.pick(fairHairs);
  return random.chance(brightness(skin) > 130 ? 0.6 : 0.15) ? random.pick(brownHairs) : random.pick(darkHairs);
}

function headOf(random: Random, style: Gender): Head {
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

/** Who is on the picture `seed` of somebody of this age and gender; null is whoever. */
export function drawPerson(seed: number, gender: Gender | null, age: number): Person {
  const random = randomOf(seed, 41);
  const style = gender ?? random.pick(['woman', 'man', 'non-binary'] as const);
  const skin = random.pick(skins);
  const hair = hairColour(random, age, skin);
  return {
    random,
    age,
    style,
    soft: style === 'woman' || (style === 'non-binary' && random.chance(0.5)),
    head: headOf(random, style),
    skin: tonesOf(skin, '#fff0d8', shadowOn(skin)),
    hair: tonesOf(hair, '#ffdcae', '#1d1018'),
  };
}
