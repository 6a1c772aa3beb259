import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { preferenceFields } from './discovery.ts';
import { answer, endpoint } from './endpoint.ts';
import { folded } from './folding.ts';
import { nameText } from './text.ts';
import { said } from './said.ts';

export const savedFiltersMax = 5;
export const savedFilterNameMaxLength = 40;

const savedFilterSchema = z.object({
  name: nameText(1, savedFilterNameMaxLength),
  preferences: z.object({ ...preferenceFields, photoVerifiedOnly: z.boolean() }),
  /** Whether the notifications about new people who fit also use this filter, besides my preferences. */
  hasAlert: z.optional(z.boolean()),
});
export type SavedFilter = z.output<typeof savedFilterSchema>;

const response = answer({ data: z.object({ filters: z.array(savedFilterSchema) }) });

export const getSavedFilters = endpoint({
  method: 'GET',
  path: '/discovery/saved-filters',
  summary: 'Get my named sets of discovery preferences.',
  access: 'signedIn',
  response,
  errors: ['FORBIDDEN'],
});

export const putSavedFilters = endpoint({
  method: 'PUT',
  path: '/discovery/saved-filters',
  summary: 'Replace my named sets of discovery preferences. They take effect when I save one as my preferences.',
  access: 'signedIn',
  writes: true,
  body: z.object({
    filters: z.array(savedFilterSchema).check(
      z.maxLength(savedFiltersMax, said(msg`Keep at most ${{ maximum: savedFiltersMax }} sets`)),
      z.refine(
        (all) => new Set(all.map(({ name }) => folded(name))).size === all.length,
        said(msg`Give each set a name of its own`),
      ),
    ),
  }),
  response,
  errors: ['FORBIDDEN'],
});
