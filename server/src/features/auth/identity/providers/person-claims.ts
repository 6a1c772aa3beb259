import { nameMaxLength } from '#contract/constants.ts';
import { emailSchema } from '#contract/auth/session.ts';
import { nameText } from '#contract/text.ts';

const nameSchema = nameText(1, nameMaxLength);

/** A name as a provider tells it, if it is one that could be given here. */
export function nameFrom(value: unknown): string | null {
  const name = nameSchema.safeParse(value);
  return name.success ? name.data : null;
}

/** An address as a provider tells it, if it is one. */
export function emailFrom(value: unknown): string | null {
  const email = emailSchema.safeParse(value);
  return email.success ? email.data : null;
}
