import type { Proof } from '#contract/auth/factors.ts';
import type { PasskeyView } from '#contract/auth/passkeys.ts';
import { isUuid } from '../../../platform/session/access-token.ts';
import { notFound } from '../../../platform/http/app-error.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { lowerSessionsWithoutFactor } from '../factors/factor.queries.ts';
import { withProof } from '../password/proof.ts';
import { mailboxOf } from '../queries.ts';
import { demandWayIn } from '../factors/ways-in.ts';

/** All passkeys of an account, the newest first. */
export function passkeysOf(db: Db, accountId: string) {
  return db
    .selectFrom('passkey')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .execute();
}

interface PasskeyRow {
  id: string;
  name: string;
  synced: boolean;
  created_at: Date;
  last_used_at: Date | null;
}

/** A passkey as its owner sees it. */
export const toPasskeyView = (row: PasskeyRow): PasskeyView => ({
  _id: row.id,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  isSynced: row.synced,
});

/** The caller's passkeys, the newest first. */
export async function listPasskeys(db: Db, caller: Caller): Promise<PasskeyView[]> {
  return (await passkeysOf(db, caller.accountId)).map(toPasskeyView);
}

/** Calls one of the caller's passkeys something else; 404 for any other. */
export async function renamePasskey(db: Db, caller: Caller, id: string, name: string): Promise<PasskeyView> {
  if (!isUuid(id)) throw notFound();
  const row = await db
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('account_id', '=', caller.accountId)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return toPasskeyView(row);
}

/** Takes one of the caller's passkeys out of use; 404 for any other, 409 for the last way to sign in. */
export async function removePasskey(deps: Deps, caller: Caller, id: string, proof: Proof, now: Date): Promise<void> {
  if (!isUuid(id)) throw notFound();
  await withProof(deps, caller, proof, now, async (tx, account) => {
    const gone = await tx
      .deleteFrom('passkey')
      .where('id', '=', id)
      .where('account_id', '=', account.id)
      .returning('name')
      .executeTakeFirst();
    if (gone === undefined) throw notFound();
    await demandWayIn(tx, account);
    await lowerSessionsWithoutFactor(tx, account.id);
    await queueMail(tx, { ...mailboxOf(account), template: 'passkeyRemoved', data: { name: gone.name } }, now);
  });
}
