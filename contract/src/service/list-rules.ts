import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { folded } from '../folding.ts';
import { languageSchema } from '../languages.ts';
import { choiceMaxLength, listedMost, promptsMax } from '../profiles/profile-details.ts';
import { said } from '../said.ts';
import { nameText } from '../text.ts';
import type { Lists } from './lists.ts';

/** The key is also the text of an entry if it has words in no language. */
const keySchema = nameText(1, choiceMaxLength).check(
  z.refine((key) => !/[|]|^#/.test(key), said(msg`A name has no | in it, and does not begin with #`)),
);
const interestSchema = keySchema.check(
  z.refine((key) => !key.includes(','), said(msg`An interest has no comma in its name`)),
);
const wordsSchema = z.partialRecord(languageSchema, nameText(1, choiceMaxLength));
const entry = (key: typeof keySchema) => z.object({ key, words: wordsSchema });

/** What the owner may list, apart from duplicates. */
export const entrySchemas = { interest: entry(interestSchema), group: entry(keySchema), prompt: entry(keySchema) };

const keysOf = (list: readonly { key: string }[]) => list.map(({ key }) => key);
const areDifferent = (keys: readonly string[]) => new Set(keys.map(folded)).size === keys.length;
const once = said(msg`Each name can be in the list only once`);

/** The lists of the owner, checked as a whole. */
export const listsSchema = z.object({
  interests: z.nullable(
    z
      .array(z.object({ ...entrySchemas.group.shape, entries: z.array(entrySchemas.interest).check(z.minLength(1)) }))
      .check(
        z.minLength(1),
        z.refine((groups) => areDifferent(keysOf(groups)), once),
        z.refine((groups) => areDifferent(groups.flatMap(({ entries }) => keysOf(entries))), once),
        z.refine((groups) => groups.flatMap(({ entries }) => entries).length <= listedMost.interest),
      ),
  ),
  prompts: z.nullable(
    z.array(entrySchemas.prompt).check(
      z.minLength(promptsMax),
      z.maxLength(listedMost.prompt),
      z.refine((list) => areDifferent(keysOf(list)), once),
    ),
  ),
  gone: z.array(z.object({ ...entrySchemas.prompt.shape, kind: z.enum(['interest', 'prompt']) })),
});

/** The product's own lists. */
export const usualLists: Lists = { interests: null, prompts: null, gone: [] };
