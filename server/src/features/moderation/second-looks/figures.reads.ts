import { sql } from 'kysely';
import { agreementFrom, type SecondLookFigures } from '#contract/moderation/second-looks.ts';
import type { Db } from '#platform/db/db.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { seenBy } from '#platform/session/access.ts';
import type { Viewer } from '../../profiles/public.ts';

interface CountRow {
  clause: string;
  decider: string | null;
  reader: string;
  name: string;
  judged: number;
  agreed: number;
}

const yearSeconds = 366 * 86_400;

function counted(rows: readonly CountRow[]) {
  const judged = rows.reduce((all, row) => all + row.judged, 0);
  const agreed = rows.reduce((all, row) => all + row.agreed, 0);
  return { judged, agreed: judged < agreementFrom ? null : agreed };
}

/** The lines of colleagues, by name. */
const byPerson = (rows: readonly CountRow[], idOf: (row: CountRow) => string) =>
  [...Map.groupBy(rows, idOf)]
    .map(([_id, of]) => ({ _id, name: of[0]?.name ?? '', ...counted(of) }))
    .sort((one, other) => one.name.localeCompare(other.name) || one._id.localeCompare(other._id));

const inOrder = new Intl.Collator('en', { numeric: true });

/** How often second looks agreed in the last year, without cases to which the viewer is a party. */
export async function secondLookFigures(db: Db, { accountId }: Viewer, now: Date): Promise<SecondLookFigures> {
  const { rows } = await sql<CountRow>`
    select coalesce(g.clause, r.clause, '') as clause, d.decided_by as decider, l.reviewer_id as reader,
      coalesce(max(d.decided_by_name), max(nullif(concat_ws(' ', p.first_name, p.last_name), '')), '') as name,
      count(*)::int as judged, (count(*) filter (where l.is_agreed))::int as agreed
    from second_look l left join case_decision d on d.id = l.decision_id left join community_rule r on r.id = d.rule_id
      left join golden_case g on g.id = l.golden_id left join profile p on p.account_id = l.reviewer_id
    where l.judged_at >= ${secondsAfter(now, -yearSeconds)}::timestamptz
      and ${seenBy({ accountId }, 'case', 'd.case_id')}
    group by 1, 2, 3`.execute(db);
  const decisions = rows.filter(({ decider }) => decider !== null);
  const training = rows.filter(({ decider }) => decider === null);
  return {
    all: counted(decisions),
    rules: [...Map.groupBy(decisions, ({ clause }) => clause)]
      .sort(([one], [other]) => Number(one === '') - Number(other === '') || inOrder.compare(one, other))
      .map(([clause, of]) => ({ clause: clause === '' ? null : clause, ...counted(of) })),
    deciders: byPerson(decisions, ({ decider }) => decider ?? ''),
    training: byPerson(training, ({ reader }) => reader),
  };
}
