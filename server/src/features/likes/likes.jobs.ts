import type { TaskList } from 'graphile-worker';
import type { Deps } from '../../platform/deps.ts';
import { inTransaction } from '../../platform/db.ts';
import { queueMail } from '../../platform/mail.ts';

/** What likes leave to the background: word to the one who liked first; the other one sees it on the screen. */
export function likeTasks({ db, clock }: Deps): TaskList {
  return {
    'match.made': async (payload) => {
      const { matchId, firstId } = payload as { matchId: string; firstId: string };
      await inTransaction(db, async (tx) => {
        const match = await tx.selectFrom('match').select('id').where('id', '=', matchId).executeTakeFirst();
        const account = await tx
          .selectFrom('account')
          .select(['id', 'email'])
          .where('id', '=', firstId)
          .where('is_active', '=', true)
          .where('leaving_since', 'is', null)
          .executeTakeFirst();
        if (match === undefined || account === undefined) return;
        const mail = { to: account.email, accountId: account.id, template: 'matchMade', data: {} };
        await queueMail(tx, mail, clock.now());
      });
    },
  };
}
