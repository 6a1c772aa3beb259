import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, select } from '@lingui/core/runtime-macro';
import type { BodyOf } from '#contract/endpoint.ts';
import type { decideCase } from '#contract/moderation/cases.ts';
import { appealDays, type ContentKind, type SanctionKind } from '#contract/moderation/decisions.ts';
import { restrictionDays } from '#contract/moderation/emergencies.ts';
import { shippedWords } from '#contract/moderation/shipped-rules.ts';
import { inOneSentence } from '#contract/said.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import { inLanguage } from '#platform/process/log.ts';
import { textOf } from '#platform/texts.ts';
import { type Appealable, appealToken, appealUntil } from './links.ts';
import { isWithholding } from '../holds/hold.ts';

const measureWords: Record<SanctionKind, MessageDescriptor> = {
  warn: msg`This is a warning. Please open the app and confirm that you have read it.`,
  remove_content: msg({ message: 'We removed {content}.' }),
  limit_messaging: msg`You cannot start new conversations.`,
  hide_profile: msg`Your profile is hidden from other members.`,
  suspend: msg`Your account is suspended.`,
  ban: msg`Your account is closed for good.`,
};

const contentWords: Record<ContentKind, MessageDescriptor> = {
  picture: msg`a picture of your profile`,
  prompt: msg`an answer of your profile`,
  text: msg`a text of your profile`,
  message: msg`a message you sent`,
  note: msg`a note you sent with a like`,
  badge: msg`“Photo verified” from your profile`,
};

/** The mail about a decision or a temporary restriction: what was decided and why, and how to appeal. */
export const decisionMails = {
  decisionMade: ({ rule = '', ruleText = '', facts = '', measures = '', token = '', ...data }, publicUrl) => {
    const isInterim = data['isInterim'] === 'true';
    return {
      subject: isInterim ? msg`Your account is restricted for now` : msg`A decision about your account`,
      heading: isInterim ? msg`Your account is restricted until we decide` : msg`We made a decision about your account`,
      paragraphs: [
        ...(isInterim
          ? [
              msg`We look into what follows because it may be urgent. This is not a final decision, and it won't count against you later. It ends when we decide, and after ${{ restrictionDays }} days at the latest, unless a second person of our team restricts you again.`,
              msg`It concerns our rule "${{ rule }}": ${{ ruleText }}`,
              msg`What we know so far: ${{ facts }}`,
            ]
          : [msg`Our rule "${{ rule }}" was broken: ${{ ruleText }}`, msg`What we found: ${{ facts }}`]),
        msg`${{ text: measures }}`,
        ...(data['isBarred'] === 'true'
          ? [msg`With the link below you can also get a copy of your data, and have unused premium paid back.`]
          : []),
        msg`A member of our team made this decision${select({ isAutomated: data['isAutomated'] }, { true: ' after an automatic check', other: '' })}. If you disagree, you can appeal within ${{ appealDays }} days; someone else will decide. You can also go to court.`,
      ],
      button: { text: msg`View or appeal the decision`, url: new URL(`/app/appeal#${token}`, publicUrl).href },
    };
  },
} satisfies MailTemplates;

type Given = BodyOf<typeof decideCase>;

/** Whether a decision keeps the person from signing in. */
const measuresBar = ({ sanctions = [] }: Given) => sanctions.some(({ kind }) => kind === 'suspend' || kind === 'ban');

/** What a decision does, in the present language. */
function measuresText({ sanctions = [] }: Given, isHeldBack: boolean): string {
  const kinds = new Set(sanctions.flatMap(({ content }) => content?.type ?? []));
  const removed = inOneSentence([...kinds].map((kind) => textOf(contentWords[kind])));
  const measures = [...new Map(sanctions.map((one) => [one.kind, one])).values()].flatMap(({ kind, days }) => [
    textOf(measureWords[kind], { content: removed }),
    ...(days === undefined
      ? []
      : [textOf(msg`This ends by itself after ${plural({ days }, { one: '# day', other: '# days' })}.`)]),
  ]);
  if (isHeldBack)
    measures.push(textOf(msg`Likes, notes and first messages that waited for this decision are not delivered.`));
  return measures.join(' ');
}

/** Mails the person of a case what was decided, why, and how to appeal. */
export async function notifyPerson(
  { tx, deps, now }: CommandContext,
  about: Appealable,
  given: Given,
  { isInterim = false } = {},
): Promise<void> {
  const { accountId } = about;
  const account = await tx
    .selectFrom('account')
    .select(['email', 'language'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const rule = await tx
    .selectFrom('community_rule')
    .select(['clause', 'version', 'title', 'body'])
    .where('id', '=', given.ruleId ?? '')
    .executeTakeFirstOrThrow();
  const shipped = shippedWords(rule);
  const words = (text: MessageDescriptor) => textOf(text, {}, account.language);
  const isHeldBack = !isInterim && (await isWithholding(tx, accountId, about.decisionId));
  const expiresAt = appealUntil(now);
  const data = {
    rule: shipped ? words(shipped.title) : rule.title,
    ruleText: shipped ? words(shipped.text) : rule.body,
    facts: given.facts ?? '',
    measures: inLanguage(account.language, () => measuresText(given, isHeldBack)),
    isBarred: String(measuresBar(given)),
    isInterim: String(isInterim),
    isAutomated: String(given.isDetectionAutomated ?? false),
    token: appealToken(deps.appealKey, { ...about, email: account.email }, expiresAt),
  };
  await queueMail(tx, { to: account.email, accountId, template: 'decisionMade', data, expiresAt }, now);
}
