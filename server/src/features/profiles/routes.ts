import type { FastifyInstance } from 'fastify';
import { decideApproval, listApprovals, requestApproval } from '#contract/profiles/approvals.ts';
import { findUsers } from '#contract/profiles/find.ts';
import * as hidden from '#contract/profiles/hidden-words.ts';
import * as calls from '#contract/profiles/profiles.ts';
import * as staff from '#contract/profiles/staff.ts';
import { countEagerReaders, revealPrivate } from './staff/reveal.ts';
import { lacksSecondFactor } from '#platform/session/caller.ts';
import type { Deps } from '../../deps.ts';
import { inTransaction } from '#platform/db/db.ts';
import { sendCsv } from '#platform/http/csv.ts';
import { mount } from '#platform/http/mount.ts';
import { requireFindable } from '#platform/service/lists.ts';
import { requirePart } from '#platform/service/parts.ts';
import { withHidden } from '#platform/session/access.ts';
import { openSteps, toOwnUser } from '#platform/session/own-user.ts';
import { requireMember } from '#platform/session/caller.ts';
import { hiddenWordsOf, putHiddenWords } from './hidden-words.ts';
import { memberSeenBy } from './reads.ts';
import { pointOf } from './place/distance.ts';
import { suggestPlaces } from './place/place.ts';
import { createLargeSearches, type LargeSearches } from './search/positions.reads.ts';
import { searchPage } from './search/search.reads.ts';
import { completeOwnProfile, editOwnProfile, move, setShowLastActive } from './profiles.ts';
import { changeUser, openUser } from './staff/admin.ts';
import { ask, decide, recent } from './staff/approvals.ts';
import { exportChosen, exportList } from './staff/export.ts';
import { find } from './staff/find.ts';
import { listedUsers, listPage } from './staff/list.reads.ts';
import { noteListed } from './staff/listed.ts';
import { showTo } from './staff/show-addresses.ts';

/** Mounts the caller's own profile, other members' profiles, and the users as staff see them. */
export function mountProfiles(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  const large = createLargeSearches();

  mount(app, deps, calls.getProfile).to(async ({ caller, now }) => {
    const user = toOwnUser(caller, now, deps.pictures);
    return {
      userData: {
        user,
        privacySettings: user.settings,
        ...openSteps(caller),
        requiresSecondFactor: lacksSecondFactor(deps.config, caller),
        secondFactorRemovalAt: caller.factorRemovalAt,
        addressRestoreAt: caller.addressRestoreAt,
      },
    };
  });
  mount(app, deps, calls.completeProfile).to(async (context) => {
    const { body, now } = context;
    const after = await completeOwnProfile(context, body);
    const { onboardingComplete } = openSteps(after);
    return {
      message: 'Your profile is complete',
      account: { user: toOwnUser(after, now, deps.pictures) },
      onboardingComplete,
    };
  });
  mount(app, deps, calls.editProfile).to(async (context) => ({
    message: 'Your profile is saved',
    update: { user: toOwnUser(await editOwnProfile(context, context.body), context.now, deps.pictures) },
  }));
  mount(app, deps, calls.showLastActive).to(async (context) => {
    const { showLastActive } = context.body;
    await setShowLastActive(context, showLastActive);
    return { data: { privacySettings: { showLastActive } } };
  });
  mount(app, deps, calls.changeLocation).to(async (context) => ({
    message: 'Location saved',
    data: { location: await move(context, context.body) },
  }));
  mount(app, deps, calls.searchPlaces).to(async ({ caller, query }) => ({
    data: { places: await suggestPlaces(db, query.search, pointOf(caller)) },
  }));
  mount(app, deps, calls.getUser).to(async ({ caller, params, now }) => ({
    data: await memberSeenBy({ db, caller, now, pictures: deps.pictures }, params),
  }));
  mount(app, deps, calls.searchUsers).to(async ({ caller, query, read, now }) => {
    if (caller.staffRole === null) requirePart(deps, 'people');
    requireFindable(
      deps,
      (query.interests ?? []).map((key) => ['interests', key]),
    );
    return {
      data: await searchPage({ db, read, views: deps.pictures, large, cursorKey: deps.searchKey }, caller, query, now),
    };
  });

  mount(app, deps, hidden.getHiddenWords).to(async ({ caller }) => {
    requireMember(caller);
    return { data: { words: await hiddenWordsOf(db, caller.accountId) } };
  });
  mount(app, deps, hidden.putHiddenWords).to(async (context) => ({
    message: 'Your hidden words are saved',
    data: { words: await putHiddenWords(context, context.body) },
  }));

  mountUserAdministration(app, deps, large);
}

/** Mounts users for staff: list, details, changes and export. */
function mountUserAdministration(app: FastifyInstance, deps: Deps, large: LargeSearches): void {
  const { db } = deps;
  deps.metrics.gauge(
    'pii_eager_readers',
    'Staff who repeatedly reveal more than half of what they may, or read thousands of people in lists',
    () => countEagerReaders(db, deps.clock.now()),
  );

  mount(app, deps, staff.listUsers).to(({ caller, query, read, now }) =>
    read(async (from) => {
      const seer = await withHidden(from, caller, 'account', 'person');
      const reader = { db: from, caller: seer, now, pictures: deps.pictures };
      const { ids, pagination } = await listPage({ ...reader, notedIn: db }, query, large);
      const shown = await noteListed({ db, caller, now }, ids);
      return { data: { users: await listedUsers(reader, ids, shown), pagination } };
    }),
  );
  mount(app, deps, findUsers).to(async (context) => ({ data: await find(context, context.body) }));
  mount(app, deps, staff.exportUsers).to(async (context) =>
    sendCsv(context, 'users', await exportList(context, context.query)),
  );
  mount(app, deps, staff.exportSelected).to(async (context) =>
    sendCsv(context, 'users', await exportChosen(context, context.body)),
  );
  mount(app, deps, staff.showAddresses).to(async (context) => ({
    data: { addresses: await showTo(context, context.body) },
  }));
  mount(app, deps, requestApproval).to(async (context) => ({ data: { approval: await ask(context, context.body) } }));
  mount(app, deps, listApprovals).to(async ({ caller, now }) => ({
    data: { approvals: await recent({ tx: db, caller, now }) },
  }));
  mount(app, deps, decideApproval).to(async (context) => ({
    data: { approval: await decide(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, staff.getAdminUser).to(async (context) => ({
    data: { user: await inTransaction(db, (tx) => openUser({ ...context, tx }, context.params)) },
  }));
  mount(app, deps, staff.revealUser).to(async (context) => ({
    data: await revealPrivate(context, { ...context.params, ...context.body }),
  }));
  mount(app, deps, staff.changeAdminUser).to(async (context) => ({
    message: 'User updated',
    data: { user: await changeUser(context, { ...context.params, ...context.body }) },
  }));
}
