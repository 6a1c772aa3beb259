import type { PersonName } from './names/person-name.ts';
import type { Random } from './random.ts';

/** Domains that can never exist (RFC 2606). */
export const demoDomains = [
  'mail.test',
  'post.test',
  'letterbox.test',
  'inbox.test',
  'webmail.test',
  'courrier.test',
  'correo.test',
  'pochta.test',
] as const;

const nicknames = (
  'nightbus, lemontree, paperboat, redkettle, slowtrain, tinyfern, oldmap, seaglass, mooncat, bluebike, softrain, inkblot, ' +
  'lostglove, greendoor, halfmoon, sundial, windowseat, quietowl, plumcake, northstar, backyard, copperpot, rooftop, tramstop'
).split(', ');

/** The address of member `number`: it ends in a number of its own, so no two members have the same one. */
export function composeEmail(random: Random, number: number, { firstLatin, lastLatin }: PersonName): string {
  const first = firstLatin.slice(0, 16);
  const last = lastLatin.slice(0, 20);
  const [initial = ''] = first;
  const forms =
    last === ''
      ? [first, `${first}.`]
      : [`${first}.${last}`, `${initial}${last}`, `${first}_${last}`, `${last}.${first}`, first];
  const name = random.chance(0.08) ? random.pick(nicknames) : random.pick(forms);
  return `${name}${ownDigits(number)}@${random.pick(demoDomains)}`;
}

/** The numbers below 1,000 in another order, since nobody would believe addresses that count upwards; the others as they are. */
function ownDigits(number: number): number {
  return number < 1000 ? (number * 367 + 41) % 1000 : number;
}
