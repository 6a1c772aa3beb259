import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import { folded, inOneForm } from '#contract/folding.ts';
import {
  type DecisionOutcome,
  factsMinLength,
  type GivenContent,
  moderatorSanctionDays,
  type Recommendation,
  type SanctionKind,
} from '#contract/moderation/decisions.ts';
import type { ReportStatus } from '#contract/moderation/reports.ts';
import { may } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { visibleLength } from '#contract/text.ts';
import type { InvalidField } from '#platform/http/app-error.ts';

export interface GivenSanction {
  kind: SanctionKind;
  days?: number | undefined;
  content?: GivenContent | undefined;
}

export interface GivenDecision {
  outcome: DecisionOutcome;
  ruleId?: string | undefined;
  facts?: string | undefined;
  sanctions?: readonly GivenSanction[] | undefined;
}

/** A reporter, with everything by which a message could name them. */
export interface Named {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  /** The name that a person who is not a member entered. Its single words could be any, such as "your". */
  givenName?: string | null;
}

const wordsIn = (text: string) => text.split(/[^\p{L}\p{M}\p{N}]+/u);
const wordsOf = (text: string) => wordsIn(folded(text));
const shortestName = 2;
/** Scripts without spaces between words, or that join endings to names. */
const joinsWords = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;

/**
 * Whether `text` contains a part of a name as a word. A part of two letters, which may be an ordinary word, counts only if it is
 * capitalised like a name.
 */
function holdsName(text: string, name: string): boolean {
  if (joinsWords.test(name)) return folded(text).includes(name);
  if (name.length > shortestName) return wordsOf(text).includes(name);
  const written = [`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`, name.toUpperCase()];
  return wordsIn(inOneForm(text)).some((word) => written.includes(word));
}

/** Whether `text` contains a name of several words as it is, with capital letters if it has any. */
function holdsWholeName(text: string, name: string): boolean {
  const words = wordsOf(name).filter(Boolean);
  const written = words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join(' ');
  const said = ` ${wordsIn(inOneForm(text)).join(' ')} `;
  return words.length > 1 && (said.includes(` ${written} `) || said.includes(` ${written.toUpperCase()} `));
}

/** Whether `text` contains a reporter's address or one of their names. The reported person's own names don't count. */
export function namesReporter(text: string, reporters: readonly Named[], own: readonly (string | null)[]): boolean {
  const lower = folded(text);
  const ownWords = new Set(own.flatMap((name) => wordsOf(name ?? '')));
  const isNamed = (name: string | null) =>
    wordsOf(name ?? '').some((word) => word.length >= shortestName && !ownWords.has(word) && holdsName(text, word));
  return reporters.some(
    ({ firstName, lastName, email, givenName = '' }) =>
      isNamed(firstName) ||
      isNamed(lastName) ||
      holdsWholeName(text, givenName ?? '') ||
      (email !== null && lower.includes(folded(email))),
  );
}

/** What is missing or contradictory in a decision; empty if it is complete. */
export function gapsIn(
  { outcome, ruleId, facts = '', sanctions = [] }: GivenDecision,
  hasPerson: boolean,
): InvalidField[] {
  const gaps: InvalidField[] = [];
  const miss = (field: string, text: MessageDescriptor) => gaps.push({ field, msg: text });
  if (outcome !== 'actioned') {
    if (sanctions.length > 0) miss('sanctions', msg`Only a violation can be sanctioned`);
    return gaps;
  }
  if (ruleId === undefined) miss('ruleId', msg`Choose the rule that was broken`);
  if (visibleLength(facts) < factsMinLength)
    miss('facts', msg`Describe what happened in ${{ factsMinLength }} characters or more`);
  if (sanctions.length === 0) miss('sanctions', msg`Choose what to do`);
  if (!hasPerson && sanctions.length > 0) miss('sanctions', msg`The account no longer exists`);
  const kinds = sanctions.map(({ kind }) => kind);
  // The key of a message is unique only within its conversation.
  const placeOf = ({ type, key, evidenceId }: GivenContent) => [type, key, ...(type === 'message' ? [evidenceId] : [])];
  const each = sanctions.map(({ kind, content }) => [kind, ...(content ? placeOf(content) : [])].join(' '));
  if (sanctions.some(({ kind, content }) => (kind === 'remove_content') !== (content !== undefined)))
    miss('sanctions', msg`Choose what to remove from the evidence`);
  if (new Set(each).size < each.length) miss('sanctions', msg`Choose each measure once`);
  if (kinds.includes('suspend') && kinds.includes('ban')) miss('sanctions', msg`Choose a suspension or a ban`);
  if (sanctions.some(({ kind, days }) => kind === 'suspend' && days === undefined))
    miss('sanctions', msg`Say how long the suspension lasts`);
  if (
    sanctions.some(
      ({ kind, days }) => (kind === 'ban' || kind === 'warn' || kind === 'remove_content') && days !== undefined,
    )
  )
    miss('sanctions', msg`Warnings, removals and bans have no end`);
  return gaps;
}

/** Whether a role may apply a sanction: without the permission for long ones, a week at most of what restricts an account. */
export function maySanction(role: StaffRole | null, { kind, days = Infinity }: GivenSanction): boolean {
  const isRestriction = kind !== 'warn' && kind !== 'remove_content';
  const isLong = kind === 'ban' || (isRestriction && days > moderatorSanctionDays);
  return !isLong || may(role, 'sanctions.long');
}

/** The status that a decision gives to the reports it answers. */
export function statusOf(outcome: DecisionOutcome): ReportStatus {
  return outcome === 'actioned' || outcome === 'fixed' ? 'resolved' : 'rejected';
}

/** The recommended sanction for someone with this many strikes: each violation has more severe consequences than the one before. */
export function recommend(strikes: number): Recommendation {
  if (strikes === 0) return { kind: 'warn', days: null, strikes };
  if (strikes < 3) return { kind: 'suspend', days: 7, strikes };
  if (strikes < 6) return { kind: 'suspend', days: 30, strikes };
  return { kind: 'ban', days: null, strikes };
}
