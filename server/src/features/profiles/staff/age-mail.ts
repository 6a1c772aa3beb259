import { msg } from '@lingui/core/runtime-macro';
import { minimumAgeYears } from '#contract/constants.ts';
import type { Actor } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import { ageOn } from '#platform/process/clock.ts';

/** The mail about a colleague's change of a birth date. */
export const userMails = {
  ageChanged: (data, publicUrl) => ({
    subject: msg`A new birth date moves a user across the age of 18`,
    heading: msg`A new birth date moves a user across the age of 18`,
    paragraphs: [
      msg`${{ by: data['by'] }} changed the birth date of a user, so a minor is now recorded as an adult, or an adult as a minor.`,
      msg`Please check it. The audit trail has the reason and both dates.`,
    ],
    button: { text: msg`Open the user`, url: new URL(`/users/${data['id'] ?? ''}`, publicUrl).href },
  }),
} satisfies MailTemplates;

/** Mails the owners of the installation when a member of staff changed whether a user counts as a minor. */
export async function mailOwnersOfAge(
  tx: Db,
  by: Actor,
  { id, from, to }: { id: string; from: string | null; to: string | null },
  now: Date,
): Promise<void> {
  const isMinor = (birthDate: string | null) => birthDate !== null && ageOn(birthDate, now) < minimumAgeYears;
  if (isMinor(from) === isMinor(to)) return;
  const owners = await tx
    .selectFrom('account')
    .select(['id', 'email'])
    .where('staff_role', '=', 'owner')
    .where('is_active', '=', true)
    .where('leaving_since', 'is', null)
    .execute();
  for (const owner of owners)
    await queueMail(
      tx,
      { to: owner.email, accountId: owner.id, template: 'ageChanged', data: { by: by.name, id } },
      now,
    );
}
