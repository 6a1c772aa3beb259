import { opacityOf } from './colours.ts';

/** A fill that changes over the box of its shape: top to bottom, left to right, corner to corner, or from the middle outwards. */
export interface Gradient {
  way: 'down' | 'across' | 'slant' | 'glow';
  /** Evenly spread, `#rrggbb` or `#rrggbbaa`. */
  stops: readonly string[];
}

export type Paint = string | Gradient;

export const down = (...stops: string[]): Gradient => ({ way: 'down', stops });
export const across = (...stops: string[]): Gradient => ({ way: 'across', stops });
export const slant = (...stops: string[]): Gradient => ({ way: 'slant', stops });
export const glow = (...stops: string[]): Gradient => ({ way: 'glow', stops });

const directions = {
  down: 'x1="0" y1="0" x2="0" y2="1"',
  across: 'x1="0" y1="0" x2="1" y2="0"',
  slant: 'x1="0" y1="0" x2="1" y2="1"',
};

/** The element that defines a gradient. */
export function gradientTag({ way, stops }: Gradient, id: string): string {
  const last = Math.max(1, stops.length - 1);
  const inner = stops.map((stop, i) => {
    const opacity = opacityOf(stop);
    const seeThrough = opacity < 1 ? ` stop-opacity="${opacity.toFixed(2)}"` : '';
    return `<stop offset="${(i / last).toFixed(2)}" stop-color="${stop.slice(0, 7)}"${seeThrough}/>`;
  });
  if (way === 'glow') return `<radialGradient id="${id}">${inner.join('')}</radialGradient>`;
  return `<linearGradient id="${id}" ${directions[way]}>${inner.join('')}</linearGradient>`;
}

/** How far along the gradient the point (x, y) of the shape's box lies, both 0…1. */
export function shareAlong(way: Gradient['way'], x: number, y: number): number {
  switch (way) {
    case 'down':
      return y;
    case 'across':
      return x;
    case 'slant':
      return (x + y) / 2;
    case 'glow':
      return Math.min(1, Math.sqrt((x - 0.5) ** 2 + (y - 0.5) ** 2) * 2);
  }
}
