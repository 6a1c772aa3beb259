import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import type { TaskList } from 'graphile-worker';
import type { Selectable } from 'kysely';
import type { EmergencyKind } from '#contract/moderation/emergencies.ts';
import type { Deps } from '../../../deps.ts';
import type { SignedHook } from '../../../platform/config/config.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import type { Database } from '../../../platform/db/schema.ts';
import { postSigned } from '../../../platform/http/limited-fetch.ts';
import { type MailTemplates, queueMail } from '../../../platform/notify/mail.ts';
import { textOf } from '../../../platform/texts.ts';

type Emergency = Selectable<Database['emergency']>;

const kindWords: Partial<Record<string, MessageDescriptor>> = {
  threat_to_life: msg`a threat to life`,
  minor: msg`a person who may be under 18`,
  sexual_violence: msg`sexual violence`,
  extortion: msg`extortion`,
} satisfies Record<EmergencyKind, MessageDescriptor>;

/** The mail to the people on call. It names no one. */
export const emergencyMails = {
  emergency: ({ kind = '', caseId = '' }, publicUrl) => ({
    subject: msg`An emergency needs you`,
    heading: msg`A case is an emergency`,
    paragraphs: [
      msg`It is about ${{ kind: kindWords[kind] ? textOf(kindWords[kind]) : '' }}. Please open the case now.`,
    ],
    button: { text: msg`Open the case`, url: new URL(`/cases/${caseId}`, publicUrl).href },
  }),
} satisfies MailTemplates;

/** Calls the pager with the id of the case and the kind. The id of the emergency lets it ignore a repeated call. Throws if it doesn't confirm. */
async function callPager(pager: SignedHook, { id, case_id, kind, marked_at }: Emergency): Promise<void> {
  const body = JSON.stringify({ id, case: case_id, category: kind, at: marked_at.toISOString() });
  const answer = await postSigned(pager, 'application/json', Buffer.from(body));
  if (!answer.ok) throw new Error(`the pager answered ${answer.status}`);
}

async function page({ db, clock, config, metrics }: Deps, id: string): Promise<void> {
  const { url, mail } = config.paging;
  const emergency = await db.selectFrom('emergency').selectAll().where('id', '=', id).executeTakeFirst();
  if (emergency === undefined || emergency.paged_at !== null) return;
  const noted = (column: 'mailed_at' | 'paged_at') => ({ [column]: clock.now() });
  if (emergency.mailed_at === null && mail.length > 0)
    await inTransaction(db, async (tx) => {
      const data = { kind: emergency.kind, caseId: emergency.case_id };
      for (const to of mail) await queueMail(tx, { to, accountId: null, template: 'emergency', data }, clock.now());
      await tx.updateTable('emergency').set(noted('mailed_at')).where('id', '=', id).execute();
    });
  if (url === null) return;
  try {
    await callPager(url, emergency);
  } catch (error) {
    metrics.providerErrors.inc({ provider: 'pager' });
    throw error;
  }
  await db.updateTable('emergency').set(noted('paged_at')).where('id', '=', id).execute();
}

/** The job that pages the people on call, tried again until the pager confirms. */
export const emergencyTasks = (deps: Deps): TaskList => ({
  'emergencies.page': (payload) => page(deps, (payload as { id: string }).id),
});

/** The jobs that call the pager. */
export const emergencyOutsideJobs = ['emergencies.page'];
