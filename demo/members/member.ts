import { demoAccounts } from '../accounts.ts';
import { awkwardMembers } from './awkward.ts';
import type { DemoMember } from './demo-member.ts';
import { ordinaryMember, signInMember, steadyMember } from './ordinary.ts';

/** How many members are not drawn at random: the demo accounts, then the awkward cases. */
export const namedMemberCount = demoAccounts.length + awkwardMembers.length;

/**
 * Member `number` (from 0): always the same, with times counted back from `now`. `passwordHashes` are those of the demo
 * accounts, in their order; no other member can sign in.
 */
export function demoMember(number: number, now: Date, passwordHashes: readonly string[] = []): DemoMember {
  const account = demoAccounts[number];
  if (account !== undefined) return signInMember(number, account.email, passwordHashes[number] ?? '', now);
  const awkward = awkwardMembers[number - demoAccounts.length];
  if (awkward === undefined) return ordinaryMember(number, now);
  return { ...steadyMember(number, now), ...awkward(now) };
}
