import { outranks } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';

/**
 * The people a colleague is involved with: their own accounts, and everyone in whose case one of these is a party. It
 * doesn't include people who reported the colleague, because a refusal would reveal who they are. Those whose case holds messages
 * from such a report are included: the case would show the report itself.
 */
export interface Involvement {
  involvedWith: ReadonlySet<string>;
}

/** Whether none of these people, who decided first or opened the case, is the colleague, because no one reviews their own work. */
export const isByOthers = ({ accountId }: { accountId: string }, ...first: readonly (string | null)[]): boolean =>
  !first.includes(accountId);

/** Whether a colleague may act on a person: not if they are involved, and not if the person ranks above them. */
export function mayActOn(
  { staffRole, involvedWith }: { staffRole: StaffRole | null } & Involvement,
  person: { id: string; staff_role: StaffRole | null },
): boolean {
  return !involvedWith.has(person.id) && !outranks(person.staff_role, staffRole);
}

const ruling: readonly (readonly StaffRole[])[] = [['owner'], ['admin', 'owner']];

/** The roles that must never be without a holder. */
export const rulers: readonly StaffRole[] = ['admin', 'owner'];

/** Whether no owner, or no administrator, would remain if one of the current ones got another role, or none. */
export function isLastRuler(
  inOffice: readonly { id: string; staff_role: StaffRole | null }[],
  id: string,
  to: StaffRole | null,
): boolean {
  return ruling.some((roles) => {
    const left = inOffice.filter(({ staff_role }) => staff_role !== null && roles.includes(staff_role));
    return left.length === 1 && left[0]?.id === id && (to === null || !roles.includes(to));
  });
}
