import { awkwardMembers } from './awkward-members.ts';
import { demoAccountMember, demoAccounts } from './demo-accounts.ts';
import type { DemoMember } from './demo-member.ts';
import { ordinaryMember, steadyMember } from './generated-member.ts';

/** How many members differ from what chance would make of them: the demo accounts, then the awkward ones. */
export const namedMemberCount = demoAccounts.length + awkwardMembers.length;

/**
 * Member `number` (from 0): always the same, with times counted back from `now`. `passwordHashes` are those of the demo
 * accounts, in their order; nobody else can sign in.
 */
export function demoMember(number: number, now: Date, passwordHashes: readonly string[]): DemoMember {
  const account = demoAccounts[number];
  if (account !== undefined) return demoAccountMember(number, account.email, passwordHashes[number] ?? '', now);
  const awkward = awkwardMembers[number - demoAccounts.length];
  if (awkward === undefined) return ordinaryMember(number, now);
  return { ...steadyMember(number, now), ...awkward.change(now) };
}
