import type { Random } from '../../random.ts';

/** The light of a time of day: its colours from the sky down to what is near. */
export interface Mood {
  /** From the top to the horizon. */
  sky: readonly [string, string, string];
  sun: string;
  cloud: string;
  far: string;
  middle: string;
  near: string;
  water: readonly [string, string];
  /** Lit windows and lamps. */
  lamp: string;
  dark: boolean;
}

export const moods = {
  morning: {
    sky: ['#c3d6de', '#ecdfd0', '#fbe6cd'],
    sun: '#fff4dc',
    cloud: '#fff8ec',
    far: '#b9c3b4',
    middle: '#93a585',
    near: '#667a52',
    water: ['#d9e0da', '#9db8bd'],
    lamp: '#ffe2a0',
    dark: false,
  },
  day: {
    sky: ['#8fb9d0', '#c4dde0', '#f4efdc'],
    sun: '#fff1c4',
    cloud: '#fffaf0',
    far: '#9fb5b5',
    middle: '#7f9a6a',
    near: '#56703f',
    water: ['#b5d3d6', '#5f95a8'],
    lamp: '#fff0c0',
    dark: false,
  },
  golden: {
    sky: ['#e8b36c', '#f3cd92', '#fae7c6'],
    sun: '#fff3d0',
    cloud: '#fdf0d6',
    far: '#d3a77d',
    middle: '#a98452',
    near: '#6d6137',
    water: ['#f6d9a6', '#c08a5c'],
    lamp: '#fff0c0',
    dark: false,
  },
  rosy: {
    sky: ['#d98f83', '#eab79d', '#f9dfc2'],
    sun: '#fbe9c8',
    cloud: '#f8d9c4',
    far: '#b9838a',
    middle: '#8a5a66',
    near: '#5a3b48',
    water: ['#f0c6ae', '#a8727a'],
    lamp: '#ffdf9e',
    dark: false,
  },
  dusk: {
    sky: ['#475b80', '#a77488', '#f0ae86'],
    sun: '#f9d3a0',
    cloud: '#c98f92',
    far: '#6c6586',
    middle: '#4a4a68',
    near: '#2f3148',
    water: ['#d9a08e', '#4f5a7c'],
    lamp: '#ffd27a',
    dark: true,
  },
  night: {
    sky: ['#1c2742', '#2f3f63', '#5a5a7c'],
    sun: '#f6ecd0',
    cloud: '#46557a',
    far: '#3c4a6c',
    middle: '#2a3655',
    near: '#1b2338',
    water: ['#4a5a80', '#202c48'],
    lamp: '#ffcf74',
    dark: true,
  },
} as const satisfies Record<string, Mood>;

export type MoodName = keyof typeof moods;

/** One of these times of day. */
export const pickMood = (random: Random, names: readonly MoodName[]): Mood => moods[random.pick(names)];
