import { answerWithinHours } from '#contract/report.ts';
import type { createReport } from '#contract/reports.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { isUuid } from '../../platform/access-token.ts';
import { invalid } from '../../platform/app-error.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Db } from '../../platform/db.ts';
import { queueMail } from '../../platform/mail.ts';
import type { PictureViews } from '../../platform/pictures.ts';
import { insertBlock } from '../blocks/blocks.public.ts';
import { userById, userShownTo } from '../profiles/profiles.public.ts';
import { freeze } from './reports.evidence.ts';
import { withinHours } from './reports.mails.ts';
import { dueAt, firstPriority, raisesBy } from './reports.policy.ts';
import { historyOf, insertEvent, insertReport } from './reports.queries.ts';
import { reference } from './reports.words.ts';

type Given = BodyOf<typeof createReport>;

/**
 * Files a report within the running transaction: freezes what it is about, judges how urgent it is, hides the two people from
 * each other unless declined, and mails a receipt. Answers the report's id.
 * Anybody can be named, seen or not, here or not: a refusal would tell who is here, and whoever harasses somebody and then
 * hides must still be reported. 400 for oneself, for what is no id, and for evidence that belongs to somebody else.
 */
export async function fileReport(
  tx: Db,
  caller: Caller,
  given: Given,
  views: PictureViews,
  now: Date,
): Promise<string> {
  const namedId = given.reportedUser ?? null;
  checkNamed(caller, namedId, given.evidence ?? []);
  const user = namedId === null ? undefined : await userById(tx, namedId);
  const seen = namedId === null ? undefined : await userShownTo(tx, caller, namedId);

  const first = firstPriority(given.problem_type, given.mayBeMinor ?? false);
  const raises = user === undefined ? [] : raisesBy(first, await historyOf(tx, user, caller.accountId, now));
  const priority = raises.at(-1)?.to ?? first;
  const id = await insertReport(
    tx,
    {
      reporterId: caller.accountId,
      reportedId: user?.id ?? null,
      namedId,
      namedName: seen?.first_name ?? null,
      type: given.problem_type,
      description: given.description,
      mayBeMinor: given.mayBeMinor ?? false,
      firstPriority: first,
      priority,
      dueAt: dueAt(now, priority),
    },
    now,
  );
  const filed = { report_id: id, at: now };
  await insertEvent(tx, {
    ...filed,
    kind: 'filed',
    actor_id: caller.accountId,
    actor_role: 'reporter',
    to_value: first,
  });
  for (const { from, to, reason } of raises) {
    await insertEvent(tx, { ...filed, kind: 'raised', actor_role: 'system', from_value: from, to_value: to, reason });
  }
  if (user !== undefined) await freeze(tx, id, user, picturesPointedAt(given), views, now);
  if (namedId !== null && given.hideFromEachOther !== false && caller.staffRole === null) {
    await insertBlock(tx, caller.accountId, namedId, now);
  }
  const data = { id, reference: reference(id), within: withinHours(answerWithinHours[first]) };
  await queueMail(tx, { to: caller.email, accountId: caller.accountId, template: 'reportReceived', data }, now);
  return id;
}

const picturesPointedAt = ({ evidence = [] }: Given) =>
  evidence.filter(({ type }) => type === 'picture').map(({ id }) => id);

function checkNamed(caller: Caller, namedId: string | null, evidence: NonNullable<Given['evidence']>): void {
  if (namedId !== null && !isUuid(namedId)) throw invalid('reportedUser', 'This is nobody');
  if (namedId === caller.accountId) throw invalid('reportedUser', 'You cannot report yourself');
  evidence.forEach(({ type, id }, index) => {
    // A picture that is none of theirs (any more) is left out of the copy: a refusal would tell what there is.
    const isOfThem = type === 'picture' ? namedId !== null : id === namedId;
    if (!isOfThem) throw invalid(`evidence.${index}.id`, 'This does not belong to the person you report');
  });
}
