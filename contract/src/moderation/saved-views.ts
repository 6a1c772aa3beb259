import * as z from 'zod/mini';
import { hasAddress, nameText, noAddressText } from '../text.ts';

/** The screens whose lists can be saved. */
export const viewScreens = ['cases', 'users'] as const;
export type ViewScreen = (typeof viewScreens)[number];

export const viewNameMax = 40;
/** How many lists of a screen one colleague can save, and how many the team can share. */
export const ownViewsMax = 20;
export const sharedViewsMax = 30;

/** The fields of a saved list on every screen, besides its filters. */
export const savedViewFields = {
  _id: z.string(),
  name: z.string(),
  isShared: z.boolean(),
  /** Who shared it; null for the viewer's own lists, and when the account was deleted. */
  sharedBy: z.nullable(z.string()),
  /** Increases with each change. */
  version: z.int(),
  /** Whether the viewer may change and delete it. */
  canChange: z.boolean(),
};
const savedViewSchema = z.object(savedViewFields);
export type SavedView = z.output<typeof savedViewSchema>;

/** A list to be saved, without its filters. */
export const viewBodySchema = z.object({
  name: nameText(1, viewNameMax).check(z.refine((name) => !hasAddress(name), noAddressText)),
  isShared: z.optional(z.boolean()),
});
