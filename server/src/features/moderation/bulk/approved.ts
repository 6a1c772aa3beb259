import { msg } from '@lingui/core/runtime-macro';
import type { BodyOf } from '#contract/endpoint.ts';
import { type BulkProgress, type requestBulkApproval } from '#contract/moderation/bulk.ts';
import type { Approval } from '#contract/profiles/approvals.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { allowedBy, filtersAsText, requestApproval, useApproval } from '../../profiles/public.ts';
import { requireOwnLinks } from '../own-links.ts';
import { choose } from './choose.ts';
import { start } from './start.ts';

/**
 * Asks the administrators to approve a message to many people. 400 for a text with links to other sites; 409 if no one is left, with too
 * many open requests, or an equal one. Throws as `choose` does.
 */
export async function askForNotice(
  context: CommandContext,
  { selection, act, reason }: BodyOf<typeof requestBulkApproval>,
): Promise<Approval> {
  requireOwnLinks('act.text', act.text, context.deps.config);
  const { total, fitting } = await choose(context, selection, { kind: 'notice' });
  if (fitting.length === 0) throw new AppError('CONFLICT', msg`There is no one left with whom this can be done`);
  // By filters everyone counts, because whether many more fit by the start is seen from the list alone.
  const people =
    'filters' in selection
      ? { rows: total, filters: filtersAsText(selection.filters) }
      : { rows: fitting.length, filters: {}, ids: fitting.toSorted() };
  return await requestApproval(context, {
    kind: 'users.bulk',
    payload: { columns: [], text: act.text, ...people },
    reason,
  });
}

/** Starts to send the message that an approval of the caller is for, which it uses up. Throws as `useApproval` and `start` do. */
export async function sendApproved(context: CommandContext, { id: approval }: { id: string }): Promise<BulkProgress> {
  const { payload, reason } = await useApproval(context, approval, 'users.bulk');
  const { ids, filters } = allowedBy(payload);
  const selection = ids === undefined ? { filters } : { ids };
  return await start(context, { selection, act: { kind: 'notice', text: payload.text ?? '' }, reason, approval });
}
