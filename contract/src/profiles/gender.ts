import * as z from 'zod/mini';

export const genders = ['woman', 'man', 'non-binary'] as const;
export type Gender = (typeof genders)[number];

/** A gender as callers may write it; 'female' and 'male' are read as the first two. */
export const genderSchema = z.pipe(
  z.enum([...genders, 'female', 'male'], 'Choose woman, man or non-binary'),
  z.transform((word): Gender => (word === 'female' ? 'woman' : word === 'male' ? 'man' : word)),
);

export const genderOutSchema = z.enum(genders);
