import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/discovery.ts';
import { explainCard, getMatchingInsights } from '#contract/discovery.ts';
import { getSavedFilters, putSavedFilters as putFilters } from '#contract/saved-filters.ts';
import { getUserAsMember, getVisibility } from '#contract/visibility.ts';
import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { mount } from '#platform/http/mount.ts';
import { requireMember } from '#platform/session/caller.ts';
import { cardsFor } from './cards.ts';
import { peopleFor } from './count.reads.ts';
import { deckMakerOf } from './jobs.ts';
import { explain } from './insights/explain.ts';
import { openForVisibility, userAsMember, visibilityOf } from './insights/visibility.ts';
import { readInsights } from './insights/weeks.ts';
import { createPeopleOnCards } from './cards.reads.ts';
import { changePreferences, preferencesOf } from './preferences.ts';
import { putSavedFilters, savedFiltersOf } from './saved-filters.ts';

/** Preferences, cards and undo. */
export function mountDiscovery(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  const maker = deckMakerOf(deps);
  const people = createPeopleOnCards();

  mount(app, deps, calls.getCards).to(async ({ caller, query, now }) => ({
    data: await cardsFor({ deps, maker, people }, caller, query, now),
  }));
  mount(app, deps, calls.getPreferences).to(async ({ caller }) => ({
    data: { preferences: await preferencesOf(db, caller) },
  }));
  mount(app, deps, calls.putPreferences)
    .before(async ({ caller, body }) => {
      if (body.elsewhere && caller.isVip) await deps.limits.spend('elsewhere', caller.accountId);
    })
    .to(async (context) => ({
      message: 'Your preferences are saved',
      data: { preferences: await changePreferences(context, context.body) },
    }));
  mount(app, deps, calls.countPeople).to(async ({ caller, body, now }) => ({
    data: { people: await peopleFor(maker, caller, body, now) },
  }));
  mount(app, deps, getSavedFilters).to(async ({ caller }) => {
    requireMember(caller);
    return { data: { filters: await savedFiltersOf(db, caller.accountId) } };
  });
  mount(app, deps, putFilters).to(async (context) => ({
    data: { filters: await putSavedFilters(context, context.body) },
  }));
  mount(app, deps, getMatchingInsights).to(async ({ read, now }) => ({
    data: await read((from) => readInsights(from, now)),
  }));
  mount(app, deps, explainCard).to(async ({ caller, body, now }) => ({
    data: await explain(maker, caller, body, now),
  }));
  mount(app, deps, getUserAsMember).to(async (context) => {
    const user = await inTransaction(db, (tx) => openForVisibility(tx, context, context.params, 'user.viewedAsMember'));
    return { data: { user: userAsMember(user, context, deps.pictures) } };
  });
  mount(app, deps, getVisibility).to(async (context) => {
    const opened = (tx: Db) => openForVisibility(tx, context, context.params, 'user.visibilityExplained');
    return { data: await visibilityOf(maker, await inTransaction(db, opened), context.now) };
  });
}
