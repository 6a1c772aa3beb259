import type { Db } from '../../../platform/db/db.ts';
import { hashToken, newToken } from '../../../platform/config/seal.ts';
import type { Claim } from './identity.claims.ts';
import { saveIdentity } from './identity.queries.ts';
import { insertMember } from '../join/join.ts';
import { accountById, type AccountRow } from '../queries.ts';
import { openVerification } from '../join/verification.ts';

/** An identity to join with. */
export type ClaimWithEmail = Claim & { email: string };

/** Makes a member of who shows an identity, consent given: without a password, and with a code mailed unless the address is proven. */
export async function makeMemberWith(tx: Db, claim: ClaimWithEmail, now: Date): Promise<AccountRow> {
  const { email, isEmailProven, firstName, lastName } = claim;
  const id = await insertMember(
    tx,
    {
      email,
      passwordHash: null,
      passwordSuitsStaff: false,
      emailVerifiedAt: isEmailProven ? now : null,
      firstName,
      lastName,
      birthDate: null,
      gender: null,
    },
    now,
  );
  await saveIdentity(tx, id, claim, now);
  if (!isEmailProven) await openVerification(tx, { id, firstName }, email, 'join', hashToken(newToken()), now);
  return await accountById(tx, id);
}
