import type { MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/runtime-macro';
import { type Selectable, sql } from 'kysely';
import type { EmergencyKind } from '#contract/moderation/emergencies.ts';
import type { Deps } from '../../../deps.ts';
import type { SignedHook } from '#platform/config/config.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import { postSigned } from '#platform/http/limited-fetch.ts';
import { idPayload, job } from '#platform/jobs/job.ts';
import { type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import { textOf } from '#platform/texts.ts';

type Emergency = Selectable<Database['emergency']>;

const kindWords: Partial<Record<string, MessageDescriptor>> = {
  threat_to_life: msg`a threat to life`,
  minor: msg`a person who may be under 18`,
  sexual_violence: msg`sexual violence`,
  extortion: msg`extortion`,
} satisfies Record<EmergencyKind, MessageDescriptor>;

/** The mails to the people on call. They name no one. */
export const emergencyMails = {
  emergency: ({ kind = '', caseId = '' }, publicUrl) => ({
    subject: msg`An emergency needs you`,
    heading: msg`A case is an emergency`,
    paragraphs: [
      msg`It is about ${{ kind: kindWords[kind] ? textOf(kindWords[kind]) : '' }}. Please open the case now.`,
    ],
    button: { text: msg`Open the case`, url: new URL(`/cases/${caseId}`, publicUrl).href },
  }),
  emergencies: ({ more = '' }, publicUrl) => ({
    subject: msg`More emergencies need you`,
    heading: msg`${plural({ count: Number(more) }, { one: '# more emergency', other: '# more emergencies' })}`,
    paragraphs: [
      msg`Many emergencies were reported within an hour, so this message is about several. Please look through the critical cases now.`,
    ],
    button: { text: msg`Open the cases`, url: new URL('/cases', publicUrl).href },
  }),
} satisfies MailTemplates;

/**
 * Calls the pager with the id of the case and the kind, and how many emergencies this page is about if they are paged together. The id of
 * the emergency lets it ignore a repeated call. Throws if it doesn't confirm.
 */
async function callPager(
  pager: SignedHook,
  { id, case_id, kind, marked_at: at }: Emergency,
  more?: number,
): Promise<void> {
  const body = JSON.stringify({ id, case: case_id, category: kind, at, more });
  const answer = await postSigned(pager, 'application/json', Buffer.from(body));
  if (!answer.ok) throw new Error(`the pager answered ${answer.status}`);
}

type Noted = { mailed_at: Date } | { paged_at: Date } | { page_due_since: null };

/** Records when emergencies were mailed or paged, or that no page is due any more. */
const note = (db: Db, of: readonly Emergency[], change: Noted) =>
  db
    .updateTable('emergency')
    .set(change)
    .where(sql<boolean>`id = any (${of.map(({ id }) => id)}::uuid[])`)
    .execute();

/** Mails and calls the people on call about an emergency, or with `isGrouped` about several at once, unless that has been done. */
async function page(deps: Deps, emergencies: readonly Emergency[], { isGrouped = false } = {}): Promise<void> {
  const { db, clock, config, metrics } = deps;
  const { url, mail } = config.paging;
  const [unmailed, unpaged] = [
    emergencies.filter(({ mailed_at }) => mailed_at === null),
    emergencies.filter(({ paged_at }) => paged_at === null),
  ];
  const [firstUnmailed, firstUnpaged] = [unmailed[0], unpaged[0]];
  if (firstUnmailed !== undefined && mail.length > 0)
    await inTransaction(db, async (tx) => {
      const { kind, case_id: caseId } = firstUnmailed;
      const data = isGrouped ? { more: String(unmailed.length) } : { kind, caseId };
      const template = isGrouped ? 'emergencies' : 'emergency';
      for (const to of mail) await queueMail(tx, { to, accountId: null, template, data }, clock.now());
      await note(tx, unmailed, { mailed_at: clock.now() });
    });
  if (firstUnpaged !== undefined && url !== null) {
    await callPager(url, firstUnpaged, isGrouped ? unpaged.length : undefined).catch((error: unknown) => {
      metrics.providerErrors.inc({ provider: 'pager' });
      throw error;
    });
    await note(db, unpaged, { paged_at: clock.now() });
  }
  await note(db, emergencies, { page_due_since: null });
}

/** The emergencies that are paged together and not yet, oldest first. */
const grouped = (db: Db) =>
  db
    .selectFrom('emergency')
    .selectAll()
    .where('is_grouped', '=', true)
    .where('page_due_since', 'is not', null)
    .orderBy('marked_at')
    .orderBy('id')
    .execute();

const unpaged = sql`select id::text as key, jsonb_build_object('id', id) as payload, page_due_since as since
  from emergency where page_due_since is not null and not is_grouped`;

/** The jobs that page the people on call: for a single emergency, retried until the pager confirms, and for the grouped ones of a flood. */
export const emergencyJobs = [
  job({
    name: 'emergencies.page',
    payload: idPayload,
    sweep: { owed: () => unpaged },
    slots: 'outside',
    run: async (deps, { id }) =>
      page(deps, await deps.db.selectFrom('emergency').selectAll().where('id', '=', id).execute()),
  }),
  job({
    name: 'emergencies.pageGrouped',
    cron: '*/10 * * * *',
    slots: 'outside',
    run: async (deps) => page(deps, await grouped(deps.db), { isGrouped: true }),
  }),
];
