import { msg } from '@lingui/core/runtime-macro';
import { plain, readings } from '#contract/readable.ts';
import { invalid } from '../http/app-error.ts';
import { presentBrand } from './brand.ts';

/** Words for teams in the languages of the app. None of these is a common name of people. */
const teamWords = new Set(
  [
    'support admin administrator administration moderator moderation moderators team helpdesk',
    'kundendienst moderatorin administratorin moderationsteam supportteam',
    'soporte administrador administradora moderador moderadora moderacion equipo',
    'assistance moderateur moderatrice administrateur administratrice equipe',
    'wsparcie moderatorka administratorka zespol',
    'suporte moderacao moderadores',
    'destek yonetici moderator ekibi',
    'الدعم المشرف المشرفين الاداره الفريق',
  ].flatMap((words) => words.split(' ')),
);

/** Words that suggest the team if the service's name is next to them. */
const besideBrand = new Set([
  ...teamWords,
  'official',
  'staff',
  'service',
  'security',
  'verified',
  'offiziell',
  'oficial',
  'officiel',
  'resmi',
]);

/** The words of a text in all readings: without accents, capitals, look-alike letters and digits that look like letters. */
const wordsOf = (text: string) =>
  readings(plain(text).toLowerCase())
    .join(' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Whether words claim that someone is the team: by its name, or by the service's next to another word that only a team has. */
function namesTeam(name: string): boolean {
  const words = wordsOf(name);
  const brand = wordsOf(presentBrand().name).join('');
  const isBranded = brand !== '' && words.join('').includes(brand);
  return words.some((word) => teamWords.has(word) || (isBranded && besideBrand.has(word.replace(brand, ''))));
}

/** 400 for a member's name that others would mistake for the team's, in the field that has to change. */
export function refuseTeamNames({ firstName, lastName }: { firstName: string | null; lastName: string | null }): void {
  const refused = msg`Only our team has names like this. Please use your own.`;
  if (namesTeam(firstName ?? '')) throw invalid('firstName', refused);
  if (namesTeam(lastName ?? '') || namesTeam(`${firstName ?? ''} ${lastName ?? ''}`))
    throw invalid('lastName', refused);
}

/** A name that a provider vouches for, or null if it could be mistaken for the team's. */
export const ownNameOrNone = (name: string | null): string | null => (namesTeam(name ?? '') ? null : name);
