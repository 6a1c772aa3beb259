import { compatibilityBand } from '#contract/compatibility/compatibility.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { getUser } from '#contract/profiles/profiles.ts';
import { isUuid, type Caller } from '../../../platform/session/caller.ts';
import { notFound } from '../../../platform/http/app-error.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { PictureViews } from '../../../platform/session/pictures.ts';
import { fitOfAnswers } from '../../compatibility/public.ts';
import { pointOf, shownDistance } from './distance.ts';
import { userShownTo } from '../reads.ts';
import { demandSeen } from './seen.ts';
import { toPublicUser } from '../views.ts';

/** A member as the caller may see them; the same 404 for everyone else, whatever the reason. */
export async function memberSeenBy(
  db: Db,
  caller: Caller,
  id: string,
  now: Date,
  views: PictureViews,
): Promise<AnswerOf<typeof getUser>['data']> {
  const user = isUuid(id) ? await userShownTo(db, caller, id) : undefined;
  if (user === undefined) throw notFound();
  await demandSeen(db, caller, user.id === caller.accountId ? [] : [user.id], now);
  const compatibilityScore = (await fitOfAnswers(db, caller.accountId, [user.id], now)).get(user.id)?.score ?? null;
  return {
    user: toPublicUser(user, caller, now, views),
    privacyInfo: { showLastActive: user.show_last_active },
    ...shownDistance(pointOf(caller), pointOf(user)),
    compatibilityScore,
    compatibilityBand: compatibilityBand(compatibilityScore),
  };
}
