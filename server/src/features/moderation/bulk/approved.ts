import { msg } from '@lingui/core/runtime-macro';
import type { BodyOf } from '#contract/endpoint.ts';
import { bulkPeopleMax, type requestBulkApproval } from '#contract/moderation/bulk.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { allowedBy, filtersAsText, idsListed, requestApproval, useApproval } from '../../profiles/public.ts';
import { requireOwnLinks } from '#platform/http/own-links.ts';
import { choose } from './choose.ts';
import type { progressOf } from './progress.ts';
import { start } from './start.ts';

/**
 * Requests the administrators' approval for a message to many people. 400 for a text with links to other sites; 409 if no one is left, with
 * too many open requests, or an equal one. Throws the errors of `choose`.
 */
export async function askForMessage(
  context: CommandContext,
  { selection, act, reason }: BodyOf<typeof requestBulkApproval>,
): ReturnType<typeof requestApproval> {
  requireOwnLinks('act.text', act.text, context.deps.config);
  const { fitting } = await choose(context, selection, { kind: 'notice' });
  if (fitting.length === 0) throw new AppError('CONFLICT', msg`This no longer applies to anyone`);
  const ids = fitting.toSorted();
  const filters = 'filters' in selection ? { isByFilters: true, filters: filtersAsText(selection.filters) } : {};
  return await requestApproval(context, {
    kind: 'users.bulk',
    payload: { columns: [], text: act.text, rows: ids.length, filters: {}, ids, ...filters },
    reason,
  });
}

/**
 * Starts sending the approved message of the caller, which uses up the approval, to those approved people who still match its filters.
 * Throws the errors of `useApproval` and `start`.
 */
export async function sendApproved(
  context: CommandContext,
  { id: approval }: { id: string },
): ReturnType<typeof progressOf> {
  const { payload, reason } = await useApproval(context, approval, 'users.bulk');
  const { ids = [], filters } = allowedBy(payload);
  const { tx, caller, now } = context;
  const people = await idsListed({ db: tx, notedIn: tx, caller, now }, filters, bulkPeopleMax, ids);
  return await start(context, {
    selection: { ids: people },
    act: { kind: 'notice', text: payload.text ?? '' },
    reason,
    approval,
  });
}
