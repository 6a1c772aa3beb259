import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { languageSchema } from '../languages.ts';
import { minimumAgeYears, productName } from '../constants.ts';
import { said } from '../said.ts';
import { emailSchema, nameText, required, trimmedText } from '../text.ts';
import { bannerAudiences, bannerKinds } from './banner.ts';
import { figureSources } from './figures.ts';
import { listsSchema, usualLists } from './list-rules.ts';
import { allParts, partsSchema } from './parts.ts';
import { inWords } from './words.ts';

const colourSchema = z
  .string()
  .check(z.toLowerCase(), z.regex(/^#[0-9a-f]{6}$/, said(msg`Use six digits after #, such as #972f33`)));

/** The name of a re-encoded picture: the digest of its bytes. */
export const brandPictureId = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'This is not a picture of the brand'));

const brandSchema = z.object({
  name: nameText(1, 30),
  /** The operator of the service, named on receipts and public pages; null for the seller from the configuration. */
  legalEntity: z.nullable(nameText(1, 120)),
  /** Null for the address from the configuration. */
  supportEmail: z.nullable(emailSchema),
  /** For readers whose own language is unknown or not offered. */
  language: languageSchema,
  /** Null for the product's own. */
  colours: z.nullable(z.object({ light: colourSchema, dark: colourSchema })),
  /** Pictures that were uploaded earlier; null for the product's own. */
  logo: z.nullable(brandPictureId),
  icon: z.nullable(brandPictureId),
});
export type Brand = z.output<typeof brandSchema>;

/** A text in some of the languages. */
const wordsOf = (most: number) => z.partialRecord(languageSchema, trimmedText(0, most));

/** Who can join: everyone, people with a link from the team, or no one for now. The sentence is shown to people who can't. */
export const registrationModes = ['open', 'invitation', 'closed'] as const;
/** The highest age that new members can be required to have. */
export const highestMinimumAge = 99;
const registrationSchema = z.object({
  mode: z.enum(registrationModes),
  sentence: wordsOf(300),
  /** The age that new members must have; younger ones who joined earlier stay. */
  minimumAge: z.int().check(z.minimum(minimumAgeYears), z.maximum(highestMinimumAge)),
});

/** What visitors see at `/`: the sign-in page, or the landing page. */
export const frontDoors = ['signIn', 'landing'] as const;

const momentSchema = z.iso.datetime(said(msg`Choose a day and a time`));

/** The longest text of a banner in one language, in characters, because more would cover too much of a phone screen. */
export const bannerMaxLength = 200;

/** A text above every page of members, staff or both, from its start to its end. */
const bannerSchema = z
  .object({
    kind: z.enum(bannerKinds),
    audience: z.enum(bannerAudiences),
    startsAt: momentSchema,
    endsAt: momentSchema,
    text: wordsOf(bannerMaxLength),
  })
  .check(
    z.refine(({ startsAt, endsAt }) => !(Date.parse(endsAt) <= Date.parse(startsAt)), {
      ...said(msg`The end has to be after the start`),
      path: ['endsAt'],
    }),
    z.refine(({ text }) => inWords(text, 'en') !== '', { ...required, path: ['text'] }),
  );
export type Banner = z.output<typeof bannerSchema>;

/** How many figures Home has. */
export const figuresCount = 4;
/** The longest value and label of a figure, in characters. */
export const figureLengths = { value: 12, label: 40 };

/** A figure with the words below it; both are empty if there is none. */
const figureSchema = z
  .object({ value: trimmedText(0, figureLengths.value), label: trimmedText(0, figureLengths.label) })
  .check(
    z.refine(({ value, label }) => value !== '' || label === '', { ...required, path: ['value'] }),
    z.refine(({ value, label }) => value === '' || label !== '', { ...required, path: ['label'] }),
  );

/** The source of the figures on Home, and the owner's own by language. */
const figuresSchema = z
  .object({
    source: z.enum(figureSources),
    own: z.partialRecord(languageSchema, z.array(figureSchema).check(z.length(figuresCount))),
  })
  .check(
    z.refine(
      ({ source, own }) =>
        source !== 'own' ||
        Object.values(own)
          .flat()
          .some(({ value, label }) => value + label !== ''),
      {
        ...required,
        path: ['own'],
      },
    ),
  );

/** Everything that the owner can change about the service while it runs. Each new part needs a default below. */
export const serviceSettingsSchema = z.object({
  brand: brandSchema,
  frontDoor: z.enum(frontDoors),
  registration: registrationSchema,
  figures: figuresSchema,
  /** Null for none. */
  banner: z.nullable(bannerSchema),
  parts: partsSchema,
  lists: listsSchema,
});
export type ServiceSettings = z.output<typeof serviceSettingsSchema>;

/** The settings of the service until the owner changes something. */
export const usualSettings: ServiceSettings = {
  brand: {
    name: productName,
    legalEntity: null,
    supportEmail: null,
    language: 'en',
    colours: null,
    logo: null,
    icon: null,
  },
  frontDoor: 'signIn',
  registration: { mode: 'open', sentence: {}, minimumAge: minimumAgeYears },
  figures: { source: 'usual', own: {} },
  banner: null,
  parts: allParts,
  lists: usualLists,
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Stored settings, with defaults for what an earlier release didn't know; null if they are broken. */
export function readSettings(stored: unknown): ServiceSettings | null {
  if (!isObject(stored)) return null;
  const whole = Object.entries(usualSettings).map(([part, usual]) => {
    const own = part in stored ? stored[part] : usual;
    return [part, isObject(usual) && isObject(own) ? { ...usual, ...own } : own];
  });
  return serviceSettingsSchema.safeParse(Object.fromEntries(whole)).data ?? null;
}
