import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import type { Rule } from './decisions.ts';

/** The community rules that come with the service, by clause. */
const shippedRules: Record<string, Record<'title' | 'text', MessageDescriptor>> = {
  1: { title: msg`Adults only`, text: msg`{brand} is for people who are at least 18 years old.` },
  2: {
    title: msg`Respect`,
    text: msg`No harassment, threats, hate or insults, in messages, notes or profiles. A no is a no.`,
  },
  3: {
    title: msg`Consent`,
    text: msg`No sexual messages or pictures that the other person has not asked for.`,
  },
  4: { title: msg`Be yourself`, text: msg`Your name, age and pictures are your own. No impersonation.` },
  5: { title: msg`No scams`, text: msg`No requests for money, gifts, codes or investments, and no advertising.` },
  6: {
    title: msg`Privacy`,
    text: msg`No sharing of other people's pictures, messages or personal details without their consent.`,
  },
  7: { title: msg`Pictures`, text: msg`No nudity, violence or children alone in pictures.` },
  8: { title: msg`Fair play`, text: msg`No second account to get around a decision, and no misuse of reports.` },
};

/** The clause of the rule against fraud. */
export const fraudClause = '5';

/** The translated words of a rule. Only its first version has translations, because staff wrote the others. */
export const shippedWords = ({ clause, version }: Pick<Rule, 'clause' | 'version'>) =>
  version === 1 ? shippedRules[clause] : undefined;
