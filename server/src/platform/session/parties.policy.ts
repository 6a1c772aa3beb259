import { outranks, type StaffRole } from '#contract/roles.ts';

/**
 * The people with whom a member of staff is involved: their own accounts, and everyone whom one of these reported. Those who
 * reported the member of staff are not among them, because a refusal would tell who they are.
 */
export interface Involvement {
  involvedWith: ReadonlySet<string>;
}

/** Whether a member of staff may act on a person: not where they are a party, and not on people who rank above them. */
export function mayActOn(
  { staffRole, involvedWith }: { staffRole: StaffRole | null } & Involvement,
  person: { id: string; staff_role: StaffRole | null },
): boolean {
  return !involvedWith.has(person.id) && !outranks(person.staff_role, staffRole);
}
