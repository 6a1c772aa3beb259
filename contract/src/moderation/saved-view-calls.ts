import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import type { Permission } from '../roles.ts';
import { idSchema } from '../text.ts';
import { viewBodySchema } from './saved-views.ts';

interface SavedViewSpec<P extends string, A extends Permission, V extends z.ZodMiniType, F extends z.ZodMiniType> {
  path: P;
  access: A;
  /** A saved list with its filters, and the filters as they are sent. */
  view: V;
  filters: F;
  /** The description of the save call in the API documentation. */
  saves: string;
  /** The other answers that contain saved lists. */
  shownAt: readonly string[];
}

/** The calls that save, change and delete the saved lists of a screen. */
export function savedViewCalls<
  const P extends string,
  const A extends Permission,
  V extends z.ZodMiniType,
  F extends z.ZodMiniType,
>({ path, access, view, filters, saves, shownAt }: SavedViewSpec<P, A, V, F>) {
  const body = z.extend(viewBodySchema, { filters });
  const params = z.object({ id: idSchema });
  const response = answer({ data: z.object({ view }) });
  const stale = [path, ...shownAt];
  return {
    save: endpoint({
      method: 'POST',
      path,
      summary: `${saves} Only senior moderators and administrators share them with the team, which is audited. 409 for a name in use, and with 20 lists saved or 30 shared.`,
      access,
      writes: true,
      status: 201,
      creates: true,
      body,
      response,
      errors: ['CONFLICT', 'FORBIDDEN', 'INVALID_INPUT'],
      stale,
    }),
    change: endpoint({
      method: 'PUT',
      path: `${path}/{id}`,
      summary:
        'Change a saved list: my own or, as a senior moderator or administrator, any shared one. Changes to shared lists are audited. 409 if it has changed since the named version.',
      access,
      writes: true,
      params,
      body: z.extend(body, { version: z.optional(z.int()) }),
      response,
      errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'INVALID_INPUT'],
      stale,
    }),
    remove: endpoint({
      method: 'DELETE',
      path: `${path}/{id}`,
      summary:
        'Delete a saved list: my own or, as a senior moderator or administrator, any shared one. Audited if shared.',
      access,
      writes: true,
      params,
      response: answer({}),
      errors: ['NOT_FOUND', 'FORBIDDEN'],
      stale: [path],
    }),
  };
}
