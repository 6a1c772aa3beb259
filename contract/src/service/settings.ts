import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { languageSchema } from '../languages.ts';
import { productName } from '../constants.ts';
import { said } from '../said.ts';
import { emailSchema, nameText, trimmedText } from '../text.ts';

const colourSchema = z
  .string()
  .check(z.toLowerCase(), z.regex(/^#[0-9a-f]{6}$/, said(msg`Use six digits after #, such as #972f33`)));

/** The name of a redrawn picture: the digest of its bytes. */
export const brandPictureId = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'This is not a picture of the brand'));

const brandSchema = z.object({
  name: nameText(1, 30),
  /** Who runs the service, named on receipts and public pages; null for the seller of the configuration. */
  legalEntity: z.nullable(trimmedText(1, 120)),
  /** Null for the address of the configuration. */
  supportEmail: z.nullable(emailSchema),
  /** Null for the product's own. */
  colours: z.nullable(z.object({ light: colourSchema, dark: colourSchema })),
  /** Pictures that were uploaded before; null for the product's own. */
  logo: z.nullable(brandPictureId),
  icon: z.nullable(brandPictureId),
});
export type Brand = z.output<typeof brandSchema>;

/** A text in some of the languages. */
const wordsOf = (most: number) => z.partialRecord(languageSchema, trimmedText(0, most));

/** How people join: everyone, those with a link of the team, or no one for now. The sentence is for those who can't. */
export const registrationModes = ['open', 'invitation', 'closed'] as const;
const registrationSchema = z.object({ mode: z.enum(registrationModes), sentence: wordsOf(300) });

/** What visitors find at `/`: the sign-in page, or the landing page. */
export const frontDoors = ['signIn', 'landing'] as const;

/** Everything that the owner can change of the service while it runs. Each part that is added needs a default below. */
export const serviceSettingsSchema = z.object({
  brand: brandSchema,
  frontDoor: z.enum(frontDoors),
  registration: registrationSchema,
});
export type ServiceSettings = z.output<typeof serviceSettingsSchema>;

/** The service as it is until the owner changes something. */
export const usualSettings: ServiceSettings = {
  brand: { name: productName, legalEntity: null, supportEmail: null, colours: null, logo: null, icon: null },
  frontDoor: 'signIn',
  registration: { mode: 'open', sentence: {} },
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Settings as they were stored, with the usual ones in place of what an earlier release didn't know; null if they are broken. */
export function readSettings(stored: unknown): ServiceSettings | null {
  if (!isObject(stored)) return null;
  const whole = Object.entries(usualSettings).map(([part, usual]) => {
    const own = part in stored ? stored[part] : usual;
    return [part, isObject(usual) && isObject(own) ? { ...usual, ...own } : own];
  });
  return serviceSettingsSchema.safeParse(Object.fromEntries(whole)).data ?? null;
}
