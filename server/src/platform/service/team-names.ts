import { msg } from '@lingui/core/runtime-macro';
import { plain } from '#contract/readable.ts';
import { invalid } from '../http/app-error.ts';
import { presentBrand } from './brand.ts';

/** How teams are called, in the languages of the app. None of them is known as a name of people. */
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

/** The words of a text, without accents, capitals and letters of other alphabets that look like Latin ones. */
const wordsOf = (text: string) =>
  plain(text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Whether a name says that its bearer is the team. The service's name alone could be someone's own, as Linden is. */
function namesTeam(name: string): boolean {
  const words = wordsOf(name);
  const brand = wordsOf(presentBrand().name).join(' ');
  const isBranded = brand !== '' && ` ${words.join(' ')} `.includes(` ${brand} `) && words.join(' ') !== brand;
  return isBranded || words.some((word) => teamWords.has(word));
}

/** 400 for a member's name that others would take for the team's, in the field that has to change. */
export function refuseTeamNames(names: { firstName: string | null; lastName: string | null }): void {
  for (const [field, name] of Object.entries(names))
    if (namesTeam(name ?? '')) throw invalid(field, msg`Only our team has names like this. Please use your own.`);
}

/** A name that a provider vouches for, or null where it would be taken for the team's. */
export const ownNameOrNone = (name: string | null): string | null => (namesTeam(name ?? '') ? null : name);
