import { brightness, darker, lighter, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { across, down, slant } from '../drawing/paint.ts';
import type { Sheet } from '../drawing/sheet.ts';
import { faceOutline } from '../people/head.ts';
import type { Person } from '../people/person.ts';

export type Hat = (sheet: Sheet, person: Person, colour: string) => void;

/** A shadow of the hat's edge on the forehead. */
function shadeBelow(sheet: Sheet, { head, skin }: Person, edge: string): void {
  sheet.clipped(faceOutline(head), () => sheet.line(edge, skin.deep, 34, 0.28));
}

/** A knitted hat with a turned-up edge. */
const beanie: Hat = (sheet, person, colour) => {
  const { head, random } = person;
  const [w, t] = [head.width + 22, head.top - 42];
  shadeBelow(sheet, person, d`M ${-w} -104 Q 0 -128 ${w} -104`);
  if (random.chance(0.4)) sheet.oval(0, t - 26, 50, 46, slant(palette.white, lighter(colour, 0.5)));
  const dome = d`M ${-w} -140 C ${-w - 6} ${t + 40} ${-w * 0.6} ${t} 0 ${t} C ${w * 0.6} ${t} ${w + 6} ${t + 40} ${w} -140 Z`;
  sheet.path(dome, across(lighter(colour, 0.14), colour, darker(colour, 0.2)));
  sheet.clipped(dome, () => {
    for (const s of [-0.7, -0.42, -0.14, 0.14, 0.42, 0.7]) {
      sheet.line(d`M ${s * w * 0.5} ${t} Q ${s * w * 1.1} ${t + 60} ${s * w * 1.16} -130`, darker(colour, 0.3), 6, 0.4);
    }
  });
  const fold = d`M ${-w - 8} -196 Q 0 -226 ${w + 8} -196 Q ${w + 18} -150 ${w + 6} -106 Q 0 -132 ${-w - 6} -106 Q ${-w - 18} -150 ${-w - 8} -196 Z`;
  sheet.path(fold, across(lighter(colour, 0.22), lighter(colour, 0.06), darker(colour, 0.14)));
  for (let i = -6; i <= 6; i++) {
    const bow = Math.abs(i) ** 2 * 0.7;
    sheet.line(d`M ${(i * w) / 6.6} ${-200 + bow} L ${(i * w) / 6.6} ${-134 + bow}`, darker(colour, 0.3), 5, 0.3);
  }
};

/** A cap with a peak. */
const peaked: Hat = (sheet, person, colour) => {
  const { head } = person;
  const [w, t] = [head.width + 14, head.top - 26];
  shadeBelow(sheet, person, d`M ${-w} -96 Q 0 -120 ${w} -96`);
  const dome = d`M ${-w} -128 C ${-w - 4} ${t + 36} ${-w * 0.6} ${t} 0 ${t} C ${w * 0.6} ${t} ${w + 4} ${t + 36} ${w} -128 Q 0 -186 ${-w} -128 Z`;
  sheet.path(dome, across(lighter(colour, 0.16), colour, darker(colour, 0.2)));
  sheet.line(
    d`M -70 ${t + 16} Q -92 ${t + 80} -96 -160 M 70 ${t + 16} Q 92 ${t + 80} 96 -160`,
    darker(colour, 0.3),
    5,
    0.4,
  );
  sheet.oval(0, t + 2, 16, 10, darker(colour, 0.2));
  sheet.oval(0, -212, 34, 30, palette.cream, 0.9);
  sheet.path(
    d`M ${-w * 0.98} -136 Q 0 -206 ${w * 0.98} -136 C ${w * 1.02} -84 ${w * 0.7} -92 ${w * 0.5} -100 Q 0 -128 ${-w * 0.5} -100 C ${-w * 0.7} -92 ${-w * 1.02} -84 ${-w * 0.98} -136 Z`,
    down(darker(colour, 0.08), darker(colour, 0.34)),
  );
};

/** A straw hat or a felt one with a wide brim. */
const brimmed: Hat = (sheet, person, colour) => {
  const { head } = person;
  const [w, t] = [head.width, head.top - 56];
  shadeBelow(sheet, person, d`M ${-w} -92 Q 0 -108 ${w} -92`);
  sheet.path(
    d`M ${-w * 1.85} -118 C ${-w * 1.3} -226 ${w * 1.3} -226 ${w * 1.85} -118 C ${w * 1.3} -70 ${w * 0.6} -108 0 -108 C ${-w * 0.6} -108 ${-w * 1.3} -70 ${-w * 1.85} -118 Z`,
    slant(lighter(colour, 0.2), colour, darker(colour, 0.22)),
  );
  const crown = d`M ${-w * 0.98} -160 C ${-w * 0.98} ${t + 60} ${-w * 0.76} ${t - 4} ${-w * 0.4} ${t} Q 0 ${t + 26} ${w * 0.4} ${t} C ${w * 0.76} ${t - 4} ${w * 0.98} ${t + 60} ${w * 0.98} -160 Q 0 -196 ${-w * 0.98} -160 Z`;
  sheet.path(crown, across(lighter(colour, 0.2), colour, darker(colour, 0.2)));
  const band = brightness(colour) > 130 ? palette.red : palette.charcoal;
  sheet.clipped(crown, () => sheet.line(d`M ${-w * 1.1} -172 Q 0 -214 ${w * 1.1} -172`, band, 46));
};

/** A beret, a little to one side. */
const beret: Hat = (sheet, person, colour) => {
  const { head } = person;
  const [w, t] = [head.width, head.top];
  shadeBelow(sheet, person, d`M ${-w} -124 Q 0 -196 ${w} -150`);
  sheet.line(d`M 60 ${t - 74} L 74 ${t - 102}`, darker(colour, 0.2), 14);
  sheet.path(
    d`M ${-w - 22} -140 C ${-w - 60} ${t + 10} ${-w * 0.4} ${t - 92} ${w * 0.5} ${t - 76} C ${w * 1.5} ${t - 62} ${w * 1.62} -150 ${w + 16} -146 C ${w * 0.5} -206 ${-w * 0.5} -196 ${-w - 22} -140 Z`,
    slant(lighter(colour, 0.18), colour, darker(colour, 0.3)),
  );
  sheet.line(d`M ${-w - 14} -142 C ${-w * 0.5} -196 ${w * 0.5} -206 ${w + 10} -148`, darker(colour, 0.35), 14);
};

export const hats: readonly Hat[] = [beanie, peaked, brimmed, beret];
